// The program: its bundle, or its sources when no bundle was built of them.
import { findBundle } from './program/bundle.ts';

await import(findBundle() ?? './program/main.ts');
