// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-container.c - host/model/container: paths of cgroups as runtimes make them, and the
 * containers that they name.
 */
#include "model/container.h"

#include "ktap.h"

#define ID  "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define UID "1f2e3d4c-5b6a-4798-8897-a6b5c4d3e2f1"
#define SLICE "kubepods-burstable-pod1f2e3d4c_5b6a_4798_8897_a6b5c4d3e2f1.slice"

/* The last component of each path is labelled, too; NULL: it is no container. */
static const struct {
	const char *path, *label, *component;
} cases[] = {
	{ "/system.slice/docker-" ID ".scope", "container 001122334455 (docker)",
	  "docker 001122334455" },
	{ "/docker/" ID, "container 001122334455 (docker)", "container 001122334455" },
	{ "/kubepods.slice/kubepods-burstable.slice/" SLICE "/cri-containerd-" ID ".scope",
	  "container 001122334455 (containerd) of pod " UID, "containerd 001122334455" },
	{ "/kubepods.slice/kubepods-burstable.slice/" SLICE "/crio-" ID ".scope",
	  "container 001122334455 (cri-o) of pod " UID, "cri-o 001122334455" },
	{ "/kubepods/burstable/pod" UID "/" ID, "container 001122334455 of pod " UID,
	  "container 001122334455" },
	{ "/kubepods/pod" UID, "pod " UID, "pod " UID },
	{ "/kubepods.slice/" SLICE, "pod " UID, "pod " UID },
	{ "/machine.slice/libpod-" ID ".scope/container/init.scope",
	  "container 001122334455 (podman): container/init.scope", NULL },
	{ "/lxc.payload.web/system.slice", "container web (lxc): system.slice", NULL },
	{ "/machine.slice/machine-deb.scope", "container deb (machine)", "machine deb" },
	{ "/", NULL, NULL },
	{ "/system.slice/ssh.service", NULL, NULL },
	{ "/docker", NULL, NULL },
	{ "/docker/" ID "0", NULL, NULL },
	{ "/docker-" ID "x.scope", NULL, NULL },
	{ "/pod", NULL, NULL },
	{ "/lxc.payload.", NULL, NULL },
	{ "[before]", NULL, NULL },
};

/* What is found is added to what is there, or nothing is. */
static void check(bool found, const struct kma_strbuf *got, const char *want)
{
	EXPECT_EQ(found, want != NULL);
	EXPECT_STR(got->str + 1, want ?: "");
}

TEST(containers_of_paths)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kma_strbuf label = { 0 };

		kma_strbuf_puts(&label, "x");
		check(kma_container_label(cases[i].path, &label), &label, cases[i].label);
		kma_strbuf_deinit(&label);
	}
}

TEST(containers_of_components)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *last = strrchr(cases[i].path, '/');
		struct kma_strbuf label = { 0 };

		kma_strbuf_puts(&label, "x");
		last = last ? last + 1 : cases[i].path;
		check(kma_container_component(last, &label), &label, cases[i].component);
		kma_strbuf_deinit(&label);
	}
}

TEST_MAIN()
