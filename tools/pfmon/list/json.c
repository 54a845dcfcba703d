// SPDX-License-Identifier: GPL-2.0
/* The events that -e accepts, as JSON. pfmon-list(1) documents the keys. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "list/catalog.h"
#include "pmu/aliases.h"
#include "pmu/emulated.h"

/* The names of an event's modifiers are with it; their meaning comes once, at the end. */
struct writer {
	struct json		json;
	const struct catalog	*catalog;
	struct libpfm_item	*modifier;
	size_t			nmodifiers, room;
	bool			any;
};

/* An array of words or numbers in one line. */
static void begin_words(struct json *json, const char *key)
{
	json_array(json, key);
	json->line = true;
}

static void end_words(struct json *json)
{
	json_end(json);
	json->line = false;
}

static void print_counters(struct writer *w, const struct answer *answer)
{
	const struct pmu *pmu = &w->catalog->pmu;
	unsigned int i;

	if (!w->catalog->known || !answer->accepted) {
		json_null(&w->json, "counters");
		return;
	}
	begin_words(&w->json, "counters");
	for (i = 0; i < pmu->ncounters; i++)
		if (answer->counters & 1ULL << i)
			json_u64(&w->json, NULL, pmu->counters[i].pmd);
	end_words(&w->json);
}

static void print_modelled(struct writer *w, const struct answer *answer)
{
	const struct emulated_event *emulated;

	if (!emulated_pmu() || !answer->encoded) {
		json_null(&w->json, "modelled");
		return;
	}
	emulated = emulated_refusal(answer->code) ? NULL : emulated_find(answer->code);
	json_bool(&w->json, "modelled", emulated);
	if (emulated)
		json_string(&w->json, "meaning_here", emulated->desc);
}

/* Short names of the same event, and perf's raw spellings of it. */
static void print_other_spellings(struct writer *w, const struct answer *answer)
{
	const struct pmu_arch *arch = w->catalog->known ? w->catalog->pmu.arch : NULL;
	const bool raw = answer->encoded && arch && arch->to_config;
	const uint64_t config = raw ? arch->to_config(answer->code) : 0;
	const struct alias *alias;
	char text[128];

	begin_words(&w->json, "aliases");
	for (alias = aliases; alias->name; alias++)
		if (answer->encoded && w->catalog->alias_code[alias - aliases] == answer->code)
			json_string(&w->json, NULL, alias->name);
	end_words(&w->json);
	begin_words(&w->json, "perf");
	if (raw && arch->from_config(&w->catalog->pmu, config, LEVEL_ALL) == answer->code) {
		snprintf(text, sizeof(text), "r%llx", (unsigned long long)config);
		json_string(&w->json, NULL, text);
		snprintf(text, sizeof(text), "cpu/");
		arch->config_fields(config, text, sizeof(text));
		append(text, sizeof(text), "/");
		json_string(&w->json, NULL, text);
	}
	end_words(&w->json);
}

/* The properties of a name that can stand alone behind -e. */
static void print_answer(struct writer *w, const char *name)
{
	struct answer answer;
	char code[32];

	catalog_ask(w->catalog, name, &answer);
	json_bool(&w->json, "accepted", answer.accepted);
	if (!answer.accepted)
		json_string(&w->json, "reason", answer.why.what);
	if (answer.encoded) {
		json_string(&w->json, "full_name", answer.full);
		/* As text: to most readers JSON's numbers are doubles. */
		snprintf(code, sizeof(code), "%#llx", (unsigned long long)answer.code);
		json_string(&w->json, "code", code);
	} else {
		json_null(&w->json, "full_name");
		json_null(&w->json, "code");
	}
	print_counters(w, &answer);
	print_modelled(w, &answer);
	print_other_spellings(w, &answer);
}

static void print_umask(struct writer *w, const char *event, const struct libpfm_item *umask)
{
	char *name = catalog_spell(event, umask->name);

	json_object(&w->json, NULL);
	json_string(&w->json, "name", name);
	json_string(&w->json, "umask", umask->name);
	json_string(&w->json, "description", umask->desc ? umask->desc : "");
	json_bool(&w->json, "default", umask->is_default);
	print_answer(w, name);
	json_end(&w->json);
	free(name);
}

static void keep_modifier(struct writer *w, const struct libpfm_item *modifier)
{
	size_t i;

	for (i = 0; i < w->nmodifiers; i++)
		if (!strcmp(w->modifier[i].name, modifier->name))
			return;
	GROW(w->modifier, w->nmodifiers, w->room);
	w->modifier[w->nmodifiers++] = *modifier;
}

static void print_attributes(struct writer *w, const struct catalog_event *event)
{
	const bool whole = catalog_matches(w->catalog, event->name, NULL);
	struct libpfm_item attr;
	int i;

	json_array(&w->json, "umasks");
	for (i = 0; i < event->libpfm.nattrs; i++)
		if (libpfm_attr(&event->libpfm, i, &attr) && attr.is_umask &&
		    (whole || catalog_matches(w->catalog, event->name, attr.name)))
			print_umask(w, event->name, &attr);
	json_end(&w->json);
	begin_words(&w->json, "modifiers");
	for (i = 0; i < event->libpfm.nattrs; i++) {
		if (!libpfm_attr(&event->libpfm, i, &attr) || attr.is_umask)
			continue;
		json_string(&w->json, NULL, attr.name);
		keep_modifier(w, &attr);
	}
	end_words(&w->json);
}

static void print_event(void *data, const struct catalog_event *event)
{
	struct writer *w = data;

	json_object(&w->json, NULL);
	json_string(&w->json, "name", event->name);
	json_string(&w->json, "source", event->source);
	json_string(&w->json, "description", event->desc ? event->desc : "");
	print_answer(w, event->name);
	print_attributes(w, event);
	json_end(&w->json);
	w->any = true;
}

static void print_aliases(struct writer *w)
{
	const struct alias *alias;
	char *event;

	json_array(&w->json, "aliases");
	for (alias = aliases; alias->name; alias++) {
		if (!catalog_matches(w->catalog, alias->name, NULL))
			continue;
		event = alias_expand(alias->name);
		if (!event)
			continue;
		json_object(&w->json, NULL);
		json_string(&w->json, "name", alias->name);
		json_string(&w->json, "event", event);
		print_answer(w, alias->name);
		json_end(&w->json);
		free(event);
		w->any = true;
	}
	json_end(&w->json);
}

static void print_modifiers(struct writer *w)
{
	size_t i;

	json_array(&w->json, "modifiers");
	for (i = 0; i < w->nmodifiers; i++) {
		json_object(&w->json, NULL);
		json_string(&w->json, "name", w->modifier[i].name);
		json_string(&w->json, "description", w->modifier[i].desc);
		json_end(&w->json);
	}
	json_end(&w->json);
}

static void print_form(struct json *json, const char *form, const char *desc, const char *example)
{
	json_object(json, NULL);
	json_string(json, "form", form);
	json_string(json, "description", desc);
	if (example)
		json_string(json, "example", example);
	else
		json_null(json, "example");
	json_end(json);
}

/* Examples are for the event that record samples, which every PMU has. */
static void print_raw_forms(struct writer *w, const struct answer *answer)
{
	const struct pmu *pmu = &w->catalog->pmu;
	const struct counter *counter;
	char text[128], fields[96] = "";
	uint64_t config;

	if (pmu->arch->to_config) {
		config = pmu->arch->to_config(answer->code);
		pmu->arch->config_fields(config, fields, sizeof(fields));
		snprintf(text, sizeof(text), "r%llx:u", (unsigned long long)config);
		print_form(&w->json, "rHEX[:MODIFIERS]",
			   "perf's raw event: attr.config; modifiers u, k, uk", text);
		snprintf(text, sizeof(text), "cpu/%s/u", fields);
		print_form(&w->json, "cpu/FIELD[=VALUE][,FIELD[=VALUE]...]/[MODIFIERS]",
			   "perf's raw event by fields: those of the PMU, config and name", text);
	}
	if (!answer->counters)
		return;
	counter = &pmu->counters[__builtin_ctzll(answer->counters)];
	snprintf(text, sizeof(text), "pmc%u=%#llx", counter->pmc,
		 (unsigned long long)pmu->arch->program(pmu, counter, answer->code, 0));
	print_form(&w->json, "pmcN=VALUE", "the value of a control register, as it is written",
		   text);
}

/* The grammar that turns names and numbers into the argument of -e. */
static void print_grammar(struct writer *w)
{
	const struct catalog *catalog = w->catalog;
	const char *event = catalog->known ? catalog->pmu.arch->default_sample_event : "cycles";
	struct json *json = &w->json;
	const char *const *usual;
	struct answer answer;
	char text[128];

	catalog_ask(catalog, event, &answer);
	json_array(json, "grammar");
	snprintf(text, sizeof(text), "%s:u", event);
	print_form(json, "EVENT[:UMASK]...[:MODIFIER]...", "a name of this list, in any case", text);
	snprintf(text, sizeof(text), "%s:uk", event);
	print_form(json, "EVENT[:UMASK]...:uk", "perf's modifiers in one word", text);
	if (catalog->known && answer.accepted)
		print_raw_forms(w, &answer);
	usual = catalog->known ? catalog->pmu.arch->default_events : NULL;
	if (usual && usual[0] && usual[1]) {
		snprintf(text, sizeof(text), "{%s,%s}", usual[0], usual[1]);
		print_form(json, "{EVENT,EVENT...}", "a group: counted at the same time", text);
	}
	json_end(json);
}

bool catalog_json(FILE *out, const struct catalog *catalog)
{
	struct writer w = { .json = { .out = out }, .catalog = catalog };

	json_object(&w.json, NULL);
	json_u64(&w.json, "format", 1);
	json_string(&w.json, "pmu", catalog->name);
	json_string(&w.json, "description", catalog->desc);
	json_bool(&w.json, "emulated", emulated_pmu());
	print_aliases(&w);
	json_array(&w.json, "events");
	catalog_each(catalog, &w, print_event);
	json_end(&w.json);
	print_modifiers(&w);
	print_grammar(&w);
	json_end(&w.json);
	free(w.modifier);
	return w.any;
}
