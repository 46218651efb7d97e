// The table of commands, in the order of the help.
import type { Command } from '../command.ts';
import { listen } from './listen.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { trigger } from './trigger.ts';
import { verify } from './verify.ts';
import { whoami } from './whoami.ts';

/** The first word of commands that have two. */
export const groups: Readonly<Record<string, string>> = {};

export const commands: readonly Command[] = [login, logout, whoami, listen, trigger, verify];
