// Concord without a part of its work, to measure what that part costs.
import { type LeftOut, runLeaner } from '../concord.ts';

await runLeaner(process.argv[2] as LeftOut);
