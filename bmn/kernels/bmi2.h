/* What the kernels for x86-64 vectors share: bits gathered and scattered by one instruction. */
#ifndef BMN_BMI2_H
#define BMN_BMI2_H

#include <immintrin.h>
#include "words.h"

/* The values of the penalty cards as a queue. */
static inline __attribute__((target("bmi2,popcnt"))) uint64_t bmn_bmi2_queue(
    uint64_t low, uint64_t middle, uint64_t high)
{
    const uint64_t penalties = low | middle | high;
    const uint64_t values = _pdep_u64(_pext_u64(low, penalties), BMN_THIRDS) |
                            _pdep_u64(_pext_u64(middle, penalties), BMN_THIRDS << 1) |
                            _pdep_u64(_pext_u64(high, penalties), BMN_THIRDS << 2);
    /* So far the last card's is lowest. There may be no cards, and then there are no values, or
     * more than fit, and then the queue is not used. */
    return values << 1 << ((63 - 3 * __builtin_popcountll(penalties)) & 63);
}

static int bmn_bmi2_supported(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#endif
