/* Every kernel of this build, fastest first, and what the CPU must have to run it. */
#ifndef BMN_ENGINE_H
#define BMN_ENGINE_H

#include "plain.h"

typedef int (*bmn_run)(const bmn_job *, bmn_sink *);

typedef struct {
    const char *name;
    bmn_run run;
    int (*supported)(void);
} bmn_kernel;

static int bmn_always(void)
{
    return 1;
}

static const bmn_kernel BMN_KERNELS[] = {
    {"plain", bmn_plain_run, bmn_always},
};
enum { BMN_N_KERNELS = sizeof BMN_KERNELS / sizeof *BMN_KERNELS };

#endif
