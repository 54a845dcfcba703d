// SPDX-License-Identifier: GPL-2.0
/* The guest's treatment of a program: its arguments, directory, output and status. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *directory = getcwd(NULL, 0);
	int i;

	for (i = 1; i < argc; i++)
		printf("argument %s\n", argv[i]);
	fprintf(stderr, "directory %s\n", directory);
	free(directory);
	return argc;
}
