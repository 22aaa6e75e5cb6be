/* Every kernel of this build, fastest first, and what the CPU must have to run it. */
#ifndef BMN_ENGINE_H
#define BMN_ENGINE_H

#include "plain.h"
#include "scalar.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include "avx2.h"
#include "avx512.h"
#endif

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
#ifdef BMN_AVX512_H
    {"avx512", bmn_avx512_run, bmn_avx512_supported},
    {"avx2", bmn_avx2_run, bmn_avx2_supported},
#endif
    {"scalar", bmn_scalar_run, bmn_always},
    {"plain", bmn_plain_run, bmn_always},
};
enum { BMN_N_KERNELS = sizeof BMN_KERNELS / sizeof *BMN_KERNELS };

#endif
