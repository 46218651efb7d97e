// The program: its bundle, or its sources when no bundle was built of them.
import { pathToFileURL } from 'node:url';
import { findBundle } from './program/bundle.ts';

const built = findBundle();
await import(built === null ? './program/main.ts' : pathToFileURL(built).href);
