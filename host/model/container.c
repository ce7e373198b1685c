// SPDX-License-Identifier: GPL-2.0-only
/*
 * container.c - the container and the pod that the path of a cgroup names.
 *
 * Each component of the path is compared with the forms that runtimes use: tables of prefixes
 * before an id of 64 hexadecimal digits, of prefixes and suffixes around a name, and "podUID" at
 * the end. The first container of the path counts, and the innermost pod above it.
 */
#include <string.h>

#include "container.h"
#include "lib/cleanup.h"

#define KMA_CONTAINER_ID    64 /* hexadecimal digits */
#define KMA_CONTAINER_SHOWN 12
#define KMA_POD_UID	    36 /* 8-4-4-4-12 digits */

/* Prefixes of an id, which may be followed by ".scope". The empty one is the id alone. */
static const struct {
	const char *prefix, *runtime;
} kma_container_runtimes[] = {
	{ "docker-", "docker" }, { "cri-containerd-", "containerd" }, { "crio-", "cri-o" },
	{ "libpod-", "podman" }, { "nerdctl-", "containerd" },	      { "", NULL },
};

/* Containers with a name instead of an id. */
static const struct {
	const char *prefix, *suffix, *runtime;
} kma_container_names[] = {
	{ "lxc.payload.", "", "lxc" },
	{ "machine-", ".scope", "machine" },
};

/* A component of a path, without a terminator. */
struct kma_component {
	const char *name;
	size_t len;
};

/* Content of a component: a container if @id is set, a pod if @uid is, otherwise neither. */
struct kma_container {
	const char *runtime; /* NULL: not in the component */
	const char *id;	     /* id or name, not terminated */
	size_t id_len;	     /* bytes of it to show */
	const char *uid;     /* UID of a pod, KMA_POD_UID bytes */
};

static bool component_begins(const struct kma_component *c, const char *prefix)
{
	return c->len >= strlen(prefix) && !memcmp(c->name, prefix, strlen(prefix));
}

static bool component_ends(const struct kma_component *c, const char *suffix)
{
	return c->len >= strlen(suffix) &&
	       !memcmp(c->name + c->len - strlen(suffix), suffix, strlen(suffix));
}

static bool container_by_id(const struct kma_component *c, struct kma_container *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_container_runtimes); i++) {
		const char *prefix = kma_container_runtimes[i].prefix;
		struct kma_component rest = *c;

		if (!component_begins(c, prefix))
			continue;
		rest.name += strlen(prefix);
		rest.len -= strlen(prefix);
		if (component_ends(&rest, ".scope"))
			rest.len -= strlen(".scope");
		if (rest.len != KMA_CONTAINER_ID ||
		    strspn(rest.name, "0123456789abcdef") < KMA_CONTAINER_ID)
			continue;
		ret->runtime = kma_container_runtimes[i].runtime;
		ret->id = rest.name;
		ret->id_len = KMA_CONTAINER_SHOWN;
		return true;
	}
	return false;
}

static bool container_by_name(const struct kma_component *c, struct kma_container *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_container_names); i++) {
		size_t before = strlen(kma_container_names[i].prefix);
		size_t after = strlen(kma_container_names[i].suffix);

		if (c->len <= before + after ||
		    !component_begins(c, kma_container_names[i].prefix) ||
		    !component_ends(c, kma_container_names[i].suffix))
			continue;
		ret->runtime = kma_container_names[i].runtime;
		ret->id = c->name + before;
		ret->id_len = c->len - before - after;
		return true;
	}
	return false;
}

/* "podUID", or "kubepods-burstable-podUID.slice" with underscores in the UID. */
static bool container_pod(const struct kma_component *c, struct kma_container *ret)
{
	struct kma_component rest = *c;
	const char *uid;

	if (component_ends(&rest, ".slice"))
		rest.len -= strlen(".slice");
	if (rest.len < strlen("pod") + KMA_POD_UID)
		return false;
	uid = rest.name + rest.len - KMA_POD_UID;
	if (memcmp(uid - strlen("pod"), "pod", strlen("pod")) ||
	    strspn(uid, "0123456789abcdef-_") < KMA_POD_UID)
		return false;
	ret->uid = uid;
	return true;
}

static bool container_find(const struct kma_component *c, struct kma_container *ret)
{
	*ret = (struct kma_container){ 0 };
	return container_by_id(c, ret) || container_by_name(c, ret) || container_pod(c, ret);
}

static void container_print_pod(const char *uid, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "pod ");
	for (size_t i = 0; i < KMA_POD_UID; i++)
		kma_strbuf_add(out, uid[i] == '_' ? "-" : uid + i, 1);
}

/* Get the next component, and move @path after it; false at the end of the path. */
static bool component_next(const char **path, struct kma_component *ret)
{
	*path += strspn(*path, "/");
	ret->name = *path;
	ret->len = strcspn(*path, "/");
	*path += ret->len;
	return ret->len;
}

bool kma_container_label(const char *path, struct kma_strbuf *out)
{
	struct kma_container found, container = { 0 };
	struct kma_component c, before = { "", 0 };
	const char *uid = NULL, *below = path;

	while (!container.id && component_next(&path, &c)) {
		if (container_find(&c, &found)) {
			uid = found.uid ?: uid;
			container = found;
			below = path;
		}
		/* With cgroupfs the name of the directory is the runtime: "/docker/ID". */
		if (container.id && !container.runtime && before.len == strlen("docker") &&
		    component_begins(&before, "docker"))
			container.runtime = "docker";
		before = c;
	}
	if (!container.id && !uid)
		return false;
	if (container.id) {
		kma_strbuf_puts(out, "container ");
		kma_strbuf_add(out, container.id, container.id_len);
		if (container.runtime)
			kma_strbuf_printf(out, " (%s)", container.runtime);
		if (uid)
			kma_strbuf_puts(out, " of ");
	}
	if (uid)
		container_print_pod(uid, out);
	if (below[strspn(below, "/")])
		kma_strbuf_printf(out, ": %s", below + strspn(below, "/"));
	return true;
}

bool kma_container_component(const char *name, struct kma_strbuf *out)
{
	const struct kma_component c = { name, strlen(name) };
	struct kma_container found;

	if (!container_find(&c, &found))
		return false;
	if (found.uid) {
		container_print_pod(found.uid, out);
	} else {
		kma_strbuf_printf(out, "%s ", found.runtime ?: "container");
		kma_strbuf_add(out, found.id, found.id_len);
	}
	return true;
}
