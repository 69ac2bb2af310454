/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts the process of a policy: a child with limits, which ends when the thread that started it does. Swift's own
 * ways to start a program set neither.
 */
#ifndef POLICY_PROCESS_H
#define POLICY_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Ends of the pipes to a policy's process. */
typedef struct policy_process {
    int identifier;
    int input;    /* its standard input; not blocking */
    int output;   /* its standard output; not blocking */
    int messages; /* its standard error; not blocking */
    int end;      /* readable when it has ended, even if others hold its pipes; -1 where the system lacks this */
} policy_process;

/* Starts a program in a folder with `PYTHONHASHSEED=0` in its environment.
 *
 * `memory` and `file_size` are in bytes: the most private memory, and the largest file it can write.
 * Returns 0, or the number of the error. */
int policy_process_start(
    char *const words[], const char *folder, uint64_t memory, uint64_t file_size, policy_process *process);

/* Limits the private memory of this process, in bytes; returns 0 or the number of the error. */
int policy_limit_memory(uint64_t bytes);

/* A descriptor that is readable when a child has ended; -1 where the system has none. */
int policy_watch(int identifier);

/* Makes this process the parent of its orphaned descendants; returns 0 or the number of the error. */
int policy_adopt_orphans(void);

/* A file without a name that contains these bytes for good; -1, with `errno`, where there is none. */
int policy_sealed_copy(const void *bytes, size_t count);

#endif
