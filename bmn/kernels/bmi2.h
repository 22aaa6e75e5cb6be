/* What the kernels for x86-64 vectors share: bits gathered and scattered by one instruction. */
#ifndef BMN_BMI2_H
#define BMN_BMI2_H

#include <immintrin.h>
#include "words.h"

/* The values of the penalty cards as a queue. */
static inline __attribute__((target("bmi2,popcnt"))) uint64_t bmn_bmi2_queue(
    const uint64_t bits[3], uint64_t penalties)
{
    const uint64_t values = _pdep_u64(_pext_u64(bits[0], penalties), BMN_THIRDS) |
                            _pdep_u64(_pext_u64(bits[1], penalties), BMN_THIRDS << 1) |
                            _pdep_u64(_pext_u64(bits[2], penalties), BMN_THIRDS << 2);
    /* So far the last card's is lowest; there may be no cards, and then there are no values. */
    return values << 1 << (63 - 3 * __builtin_popcountll(penalties));
}

static int bmn_bmi2_supported(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#endif
