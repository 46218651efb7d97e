// The table of commands, in the order of the help.
import type { Command } from '../command.ts';
import { createCompletion } from './completion.ts';
import { deliveriesList } from './deliveries-list.ts';
import { deliveriesReplay, deliveriesSendNow } from './deliveries-repeat.ts';
import { deliveriesShow } from './deliveries-show.ts';
import { endpointsCheck } from './endpoints-check.ts';
import { endpointsCreate } from './endpoints-create.ts';
import { endpointsList } from './endpoints-list.ts';
import { endpointsPause, endpointsResume } from './endpoints-pause.ts';
import { eventsTail } from './events-tail.ts';
import { listen } from './listen.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { open } from './open.ts';
import { trigger } from './trigger.ts';
import { typesPull } from './types-pull.ts';
import { verify } from './verify.ts';
import { whoami } from './whoami.ts';

export const commands: readonly Command[] = [
  ...[login, logout, whoami],
  ...[listen, trigger, verify],
  eventsTail,
  ...[deliveriesList, deliveriesShow, deliveriesSendNow, deliveriesReplay],
  ...[endpointsList, endpointsCreate, endpointsPause, endpointsResume, endpointsCheck],
  ...[typesPull, open],
  createCompletion(() => commands),
];
