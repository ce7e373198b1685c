/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.h - the container and the pod that a path of a cgroup names.
 *
 * Runtimes put their ids into the path. The forms are those of runc's and crun's cgroup drivers
 * ("PREFIX-ID.scope" with systemd, the id alone with cgroupfs) and of Kubernetes' kubelet, which
 * puts containers below "kubepods": "podUID" with cgroupfs, "kubepods-CLASS-podUID.slice" with
 * systemd, where the dashes of the UID are underscores. A path is not asked for anything else: a
 * name of a container that only its runtime knows is not in it.
 */
#ifndef KMA_MODEL_CONTAINER_H
#define KMA_MODEL_CONTAINER_H

#include <stdbool.h>

#include "lib/strbuf.h"

/**
 * kma_container_label() - name the container of a cgroup
 * @path: of the cgroup, from the root of its hierarchy
 * @out: gets "container 0123456789ab (docker)", with " of pod UID" or what is below the container
 *	where the path has it; "pod UID" where there is no container. An id has its first 12
 *	digits, as the tools of the runtimes show it.
 *
 * Return: true if the path names a container or a pod; else @out is unchanged.
 */
bool kma_container_label(const char *path, struct kma_strbuf *out);

/**
 * kma_container_component() - the same for one component of a path
 * @name: the component
 * @out: gets "docker 0123456789ab" or "pod UID"
 *
 * Return: true if the component names a container or a pod; else @out is unchanged.
 */
bool kma_container_component(const char *name, struct kma_strbuf *out);

#endif /* KMA_MODEL_CONTAINER_H */
