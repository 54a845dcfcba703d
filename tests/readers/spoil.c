// SPDX-License-Identifier: GPL-2.0
/* Make a damaged input of a valid one. */
#include <string.h>

#include "data/format.h"
#include "readers.h"

static const uint64_t extremes[] = {
	0, 1, 2, 7, 8, 15, 16, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff8,
	0xffffffff, 1ULL << 32, 1ULL << 40, 1ULL << 63, (1ULL << 63) - 1,
	UINT64_MAX - 7, UINT64_MAX,
};

/* Tokens of the grammars of the text formats, of printf() and of paths. */
static const char *const words[] = {
	"0", "-1", "18446744073709551615", "18446744073709551616", "0x",
	"0xffffffffffffffff", "1e999",
	"nan", "{", "}", "{}", "[", "]", "(", ")", "((((((((((((((((", ",", ",,", ":",
	"::", ":u", ":k",
	":uk", ":pp", "=", "==", "|", "/", "//", "cpu/", "event=", "umask=", "r01c0",
	"pmc0=", "*", "+", " - ",
	"\n", "\r\n", "\t", " ", "\"", "\\", "\\u0000", "%s%n", "\xff\xfe",
	"\xf0\x9f\x92\xa9", "null",
	"true", "\"events\"", "\"count\"", "\"event\"", "event ", "metric ", "pmu ", "about ",
	"cycles",
	"instructions", "-e", "--events=", "--smpl-periods-random=", "--switch-timeout", "-l",
	"--attach-task", "--cpu-list", "--long-smpl-periods=", "--", "..", "/",
};

/* Replace @out bytes at @at by @in bytes, as far as the memory allows. */
static void replace(struct input *input, size_t at, size_t out, const void *bytes, size_t in)
{
	if (input->size - out + in > INPUT_ROOM)
		return;
	memmove(input->bytes + at + in, input->bytes + at + out, input->size - at - out);
	memcpy(input->bytes + at, bytes, in);
	input->size += in;
	input->size -= out;
}

/* A part of @of, usually a small one. */
static struct input part_of(struct random *random, const struct input *of)
{
	struct input part = { of->bytes, 0 };
	size_t at;

	if (!of->size)
		return part;
	at = random_below(random, (unsigned int)of->size);
	part.bytes += at;
	part.size = 1 + random_scaled(random) % (of->size - at);
	return part;
}

static void set_member(struct random *random, unsigned char *at, size_t room)
{
	static const size_t sizes[] = { 1, 2, 4, 8 };
	const size_t size = random_of(random, sizes);
	uint64_t value = random_of(random, extremes);

	if (size > room)
		return;
	if (random_once_in(random, 3)) { /* a little more or less than before */
		memcpy(&value, at, size);
		value += random_below(random, 17) - 8ULL;
	}
	memcpy(at, &value, size);
}

/* The offset of the record with that number; in a file that may be damaged already. */
static size_t find_record(const struct input *input, unsigned int number, size_t *size)
{
	struct profile_record record;
	size_t at = sizeof(struct profile_header), n = 0, found = 0;

	*size = 0;
	while (input->size >= sizeof(record) && at <= input->size - sizeof(record)) {
		memcpy(&record, input->bytes + at, sizeof(record));
		if (record.size < sizeof(record) || record.size > input->size - at)
			break;
		found = at;
		*size = record.size;
		if (n++ == number)
			break;
		at += record.size;
	}
	return found;
}

/* A whole record is removed, repeated, or has a member changed. */
static void spoil_record(struct random *random, struct input *input, const struct input *other)
{
	size_t size, at = find_record(input, random_below(random, 64), &size), more, from;
	unsigned char copy[4096];

	if (!size)
		return;
	switch (random_below(random, 6)) {
	case 0:
		replace(input, at, size, "", 0);
		break;
	case 1:
		if (size > sizeof(copy))
			break;
		memcpy(copy, input->bytes + at, size);
		at = find_record(input, random_below(random, 64), &more);
		replace(input, at, 0, copy, size);
		break;
	case 2:
		from = find_record(other, random_below(random, 64), &more);
		replace(input, at, 0, other->bytes + from, more);
		break;
	default:
		more = random_below(random, (unsigned int)(size < 96 ? size : 96)) & ~3U;
		set_member(random, input->bytes + at + more, size - more);
		break;
	}
}

static void insert_word(struct random *random, struct input *input)
{
	const char *word = random_of(random, words);
	unsigned int times = random_once_in(random, 20) ? random_below(random, 2000) : 1;
	const size_t at = random_below(random, (unsigned int)input->size + 1);

	while (times--)
		replace(input, at, 0, word, strlen(word));
}

static void spoil_bytes(struct random *random, struct input *input, const struct input *other)
{
	const size_t at = random_below(random, (unsigned int)input->size);
	unsigned char copy[4096];
	struct input part;
	size_t even;

	switch (random_below(random, 8)) {
	case 0:
		input->bytes[at] ^= (unsigned char)(1U << random_below(random, 8));
		break;
	case 1:
		input->bytes[at] = (unsigned char)random_u64(random);
		break;
	case 2:
	case 3:
		even = at & ~(size_t)3;
		set_member(random, input->bytes + even, input->size - even);
		break;
	case 4:
		if (random_once_in(random, 4)) /* rarely: it hides other damage */
			input->size = at;
		break;
	case 5:
		part = part_of(random, input);
		replace(input, (size_t)(part.bytes - input->bytes), part.size, "", 0);
		break;
	case 6:
		part = part_of(random, input);
		if (part.size > sizeof(copy))
			part.size = sizeof(copy);
		memcpy(copy, part.bytes, part.size);
		replace(input, at, 0, copy, part.size);
		break;
	default:
		part = part_of(random, other);
		replace(input, at, 0, part.bytes, part.size);
		break;
	}
}

void spoil(struct random *random, enum kind kind, struct input *input,
	   const struct input *other)
{
	unsigned int n = 1 + random_below(random, random_once_in(random, 10) ? 30 : 4);

	while (n--) {
		if (kind == KIND_RECORDING && !random_once_in(random, 3))
			spoil_record(random, input, other);
		else if (!input->size || (kind != KIND_RECORDING && random_once_in(random, 2)))
			insert_word(random, input);
		else
			spoil_bytes(random, input, other);
	}
}
