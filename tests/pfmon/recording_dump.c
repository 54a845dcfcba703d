// SPDX-License-Identifier: GPL-2.0
/*
 * recording_dump FILE: print the records of a recording, read as pfmon.data(5) describes it,
 * without pfmon's own code; a line for each:
 *
 *	event NAME PERIOD	map START END NAME	unmap START END		exec PID
 *	comm PID TID NAME	fork PID TID PARENT	exit PID TID		symbol NAME
 *	context ID PID TID
 *	sample ADDRESS PERIOD TIME TID [COUNT SUM]	lost OVERFLOWS RECORDED FULL ERROR THROTTLED MESSAGES UNPLACED
 *	note TEXT		end SAMPLES STATUS FLAGS
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t u64(const char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void insist(int sense, const char *what)
{
	if (sense)
		return;
	fprintf(stderr, "recording_dump: %s\n", what);
	exit(1);
}

/* Of the samples that come next; NULL: they have none. */
static const char *counts;

static void dump_samples(const char *record, const char *rest)
{
	uint64_t i;

	for (i = 0; i < u64(record + 24); i++) {
		printf("sample %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRId32,
		       u64(rest + 40 * i + 32), -u64(rest + 40 * i + 16),
		       u64(rest + 40 * i + 24), (int32_t)u32(rest + 40 * i + 4));
		if (counts)
			printf(" %" PRIu64 " %" PRIu64, u64(counts + 16 * i), u64(counts + 16 * i + 8));
		puts("");
	}
}

static void keep_counts(const char *record, const char *rest, uint64_t bytes)
{
	char *copy = malloc(bytes + 1);

	insist(copy && bytes == 16 * u64(record + 24), "the counts are not so many");
	memcpy(copy, rest, bytes);
	counts = copy;
}

static void dump(const char *record, uint32_t fixed, uint64_t size)
{
	const char *rest = record + fixed;
	uint64_t i;

	switch (u32(record)) {
	case 5:
		printf("event %s %" PRIu64 "\n", rest, u64(record + 24));
		break;
	case 7:
		printf("map %" PRIx64 " %" PRIx64 " %s\n", u64(record + 24), u64(record + 32), rest);
		break;
	case 8:
		printf("unmap %" PRIx64 " %" PRIx64 "\n", u64(record + 24), u64(record + 32));
		break;
	case 9:
		printf("exec %" PRId32 "\n", (int32_t)u32(record + 16));
		break;
	case 6:
		printf("context %" PRIu32 " %" PRId32 " %" PRId32 "\n", u32(record + 16),
		       (int32_t)u32(record + 24), (int32_t)u32(record + 28));
		break;
	case 15:
		printf("comm %" PRId32 " %" PRId32 " %s\n", (int32_t)u32(record + 16),
		       (int32_t)u32(record + 20), rest);
		break;
	case 16:
		printf("fork %" PRId32 " %" PRId32 " %" PRId32 "\n", (int32_t)u32(record + 16),
		       (int32_t)u32(record + 20), (int32_t)u32(record + 24));
		break;
	case 17:
		printf("exit %" PRId32 " %" PRId32 "\n", (int32_t)u32(record + 16),
		       (int32_t)u32(record + 20));
		break;
	case 18:
		printf("symbol %s\n", rest);
		break;
	case 10:
		printf("ksymbol %s %s\n", rest, rest + strlen(rest) + 1);
		break;
	case 11:
		insist(size - fixed == 40 * u64(record + 24), "the samples are not so many");
		dump_samples(record, rest);
		free((char *)counts);
		counts = NULL;
		break;
	case 42:
		keep_counts(record, rest, size - fixed);
		break;
	case 12:
		printf("lost");
		for (i = 0; i < 6; i++)
			printf(" %" PRIu64, u64(record + 24 + 8 * i));
		printf(" %" PRIu64 "\n", u64(record + 96));
		break;
	case 13:
		printf("note %s\n", rest);
		break;
	case 14:
		printf("end %" PRIu64 " %" PRId32 " %" PRIu32 "\n", u64(record + 24),
		       (int32_t)u32(record + 32), u32(record + 36));
		break;
	}
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	uint64_t size;
	char head[24];
	char *record;

	insist(file != NULL, "no file");
	insist(fread(head, sizeof(head), 1, file) == 1, "no header");
	insist(!memcmp(head, "PFMDATA\n", 8) && u32(head + 8) == 0x01020304, "another file");
	insist(u32(head + 12) == (2 | 4 << 16) && u32(head + 16) == sizeof(head), "not version 2.4");
	while (fread(head, 16, 1, file) == 1) {
		size = u64(head + 8);
		insist(size >= u32(head + 4) && size % 8 == 0 && size < 1 << 30, "a bad size");
		record = malloc(size);
		memcpy(record, head, 16);
		insist(fread(record + 16, size - 16, 1, file) == 1 || size == 16, "cut off");
		dump(record, u32(head + 4), size);
		free(record);
	}
	return 0;
}
