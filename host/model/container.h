/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.h - the container and the pod that the path of a cgroup names.
 *
 * Runtimes put their ids into the path. The forms are those of runc's and crun's cgroup drivers
 * ("PREFIX-ID.scope" with systemd, the id alone with cgroupfs) and of Kubernetes' kubelet, which
 * puts containers below "kubepods": "podUID" with cgroupfs, "kubepods-CLASS-podUID.slice" with
 * systemd, where the dashes of the UID are underscores. LXC and systemd-nspawn put names into the
 * path.
 *
 * Never done here: no runtime is queried. The name that a user gave to a container is therefore not
 * known if the path has only its id.
 */
#ifndef KMA_MODEL_CONTAINER_H
#define KMA_MODEL_CONTAINER_H

#include <stdbool.h>

#include "lib/strbuf.h"

/*
 * Appends "container 0123456789ab (docker) of pod UID: REST", with those parts that the path has
 * from the root of its hierarchy; "pod UID" if there is no container. An id has its first 12
 * digits, as the tools of the runtimes show it. REST is the part of the path below the container.
 * False, and nothing is appended, if the path names neither.
 */
bool kma_container_label(const char *path, struct kma_strbuf *out);

/* The same for one component of a path: "docker 0123456789ab" or "pod UID". */
bool kma_container_component(const char *name, struct kma_strbuf *out);

#endif /* KMA_MODEL_CONTAINER_H */
