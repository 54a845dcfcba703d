// SPDX-License-Identifier: GPL-2.0
/*
 * A flame graph: one file, with its script in it, that a browser shows. Levels from below:
 * everything, the threads' names, and the functions of call chains; without chains files and
 * symbols. A viewer that cannot run scripts shows it as well.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "export/export.h"
#include "export/svg_script.h"
#include "util.h"

#define WIDTH		1200
#define HEIGHT		18		/* of a level */
#define ABOVE		70
#define BELOW		34
#define LETTER		7		/* pixels, about */

struct picture {
	FILE		*out;
	uint64_t	total;
	unsigned int	height;
};

/* Up to @most characters; XML cannot contain control characters, not even escaped. */
static void print_escaped(FILE *out, const char *text, size_t most)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	for (; *s && most; most--, s += n ? n : 1) {
		n = utf8_length(s);
		if (!n || *s < ' ' || *s == 0x7f || (n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] > 0xbd))
			fputs("\xef\xbf\xbd", out);
		else if (strchr("<>&\"'", *s))
			fprintf(out, "&#%d;", *s);
		else
			fwrite(s, 1, n, out);
	}
}

static size_t letters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

/* The kernel is orange, all else yellow to green. A name always has the same colour. */
static void print_colour(FILE *out, const struct node *node)
{
	const bool kernel = node->step.kernel;
	unsigned int hash = 5381;
	const char *c;

	for (c = node->step.name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	fprintf(out, "hsl(%u,%u%%,%u%%)", kernel ? 15 + hash % 15 : 45 + hash % 50,
		node->parent ? 60 + hash / 64 % 25 : 0, 62 + hash / 4096 % 10);
}

static void print_text(FILE *out, const char *name, double pixels)
{
	const size_t room = pixels < 6 + 3 * LETTER ? 0 : (size_t)((pixels - 6) / LETTER);

	if (letters(name) <= room) {
		print_escaped(out, name, room);
	} else if (room) {
		print_escaped(out, name, room - 1);
		fputs("\xe2\x80\xa6", out);
	}
}

/* A node and all above it, from @x on, in samples. */
static void print_node(const struct picture *picture, const struct node *node, uint64_t x,
		       unsigned int level)
{
	const double scale = (double)WIDTH / (double)picture->total;
	const double left = (double)x * scale, pixels = (double)node->count * scale;
	const unsigned int y = picture->height - BELOW - (level + 1) * HEIGHT;
	const struct node *child;
	FILE *out = picture->out;

	fputs("<g class=\"frame\" tabindex=\"0\" data-name=\"", out);
	print_escaped(out, node->step.name, SIZE_MAX);
	fprintf(out, "\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\"><title>", x, node->count);
	print_escaped(out, node->step.name, SIZE_MAX);
	fprintf(out, ": %" PRIu64 " samples, %.2f%%</title>", node->count,
		100 * (double)node->count / (double)picture->total);
	fprintf(out, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"", left, y,
		pixels > 0.6 ? pixels - 0.5 : 0.1, HEIGHT - 1);
	print_colour(out, node);
	fprintf(out, "\"/><text x=\"%.2f\" y=\"%u\">", left + 3, y + 13);
	print_text(out, node->step.name, pixels);
	fputs("</text></g>\n", out);
	for (child = node->child; child; child = child->next) {
		print_node(picture, child, x, level + 1);
		x += child->count;
	}
}

static void print_heading(const struct picture *picture, const struct graph *graph)
{
	FILE *out = picture->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\" data-width=\"%d\" data-total=\"%" PRIu64 "\" data-unit=\"samples\">\n",
		WIDTH, picture->height, WIDTH, picture->height, WIDTH, picture->total);
	fputs("<style>\n"
	      "text { font: 12px monospace; pointer-events: none }\n"
	      "#title { font: bold 16px sans-serif }\n"
	      ".frame { cursor: pointer; outline: none }\n"
	      ".frame:hover rect, .frame:focus rect { stroke: black }\n"
	      ".around { opacity: 0.5 }\n"
	      ".match rect { fill: rgb(205,90,220) }\n"
	      "#reset { cursor: pointer; pointer-events: auto; text-decoration: underline }\n"
	      "input { width: 96%; font: 12px sans-serif }\n"
	      "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fafafa\"/>\n"
	      "<text id=\"title\" x=\"10\" y=\"24\">", out);
	print_escaped(out, graph->title, 110);
	if (graph->recordings > 1)
		fprintf(out, " and %zu more", graph->recordings - 1);
	fprintf(out, "</text>\n<text x=\"10\" y=\"46\">%" PRIu64 " samples", picture->total);
	if (graph->event) {
		fputs(" of ", out);
		print_escaped(out, graph->event, 100);
	}
	if (graph->host) {
		fputs(" on ", out);
		print_escaped(out, graph->host, 64);
		if (graph->hosts)
			fputs(" and others", out);
	}
	fputs("</text>\n", out);
}

static void print_ending(const struct picture *picture)
{
	FILE *out = picture->out;

	fprintf(out, "<text id=\"details\" x=\"10\" y=\"%u\"></text>\n", picture->height - 12);
	fprintf(out, "<text id=\"matched\" x=\"%d\" y=\"46\" text-anchor=\"end\"></text>\n", WIDTH - 220);
	fputs("<text id=\"reset\" x=\"10\" y=\"64\" style=\"display: none\">Reset zoom</text>\n", out);
	fprintf(out, "<foreignObject x=\"%d\" y=\"30\" width=\"200\" height=\"26\"><input "
		"xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" "
		"placeholder=\"Search: a regular expression\"/></foreignObject>\n", WIDTH - 210);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", svg_script);
}

bool export_svg(const struct graph *graph, FILE *out, struct problem *why)
{
	struct picture picture = { .out = out, .total = graph->tree.root.count };

	if (!picture.total)
		return problem(why, "there are no samples, and so nothing to be drawn");
	picture.height = ABOVE + BELOW + (1 + tree_depth(&graph->tree)) * HEIGHT;
	print_heading(&picture, graph);
	print_node(&picture, &graph->tree.root, 0, 0);
	print_ending(&picture);
	return true;
}
