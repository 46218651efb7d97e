// The resolver of names hangs, under load.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { stock, succeed } from '../stage/cast.ts';
import { launch, newScratchDir } from '../stage/launch.ts';
import { listen } from '../stage/listen.ts';
import { startFaultStage } from './stage.ts';

it('O66: a resolver that hangs delays webhooks to the names that it knows, and nothing else', async ({
  skip,
}) => {
  const { resolver, under } = await startMachine(skip);
  const stage = await startFaultStage({ under });
  const partner: string = succeed(await stage.request('POST', '/partners', { name: 'Acme' })).id;
  const named = await startNamedReceiver();
  const endpoints = Array.from(
    { length: 50 },
    (_, index) => `http://host-${index}.receiver.example:${named.port}/`,
  );
  for (const url of endpoints)
    succeed(await stage.request('POST', `/partners/${partner}/webhook-endpoints`, { url }));
  await stage.suffer('resolver hangs (20 s)', async () => {
    const event = stock();
    succeed(await stage.request('POST', `/partners/${partner}/events`, event));
    await pause(20_000);
    expect(named.hosts.size).toBe(0);
    resolver.answer();
  });
  expect(named.hosts.size).toBe(endpoints.length);
});

it('O42: the doctor asks a resolver that hangs once: threads that wait keep it after its findings', async ({
  skip,
}) => {
  const { resolver, under } = await startMachine(skip);
  const doctor = launch({ CONCORD_BASE_URL: 'https://concord.example' }, ['doctor'], {
    onHost: (command) => [...under, ...command],
  });
  await doctor.ended;
  expect(doctor.lines.join()).toContain('concord.example cannot be resolved');
  // Its IPv4 and its IPv6 addresses.
  expect(resolver.questions.map((question) => question.includes('concord'))).toEqual([true, true]);
});

/** The command under which a program has only the resolver. */
async function startMachine(skip: (condition: boolean, why: string) => void) {
  const resolver = await startResolver();
  const file = join(newScratchDir(), 'resolv.conf');
  writeFileSync(file, `nameserver ${resolver.address}\noptions timeout:5 attempts:2\n`);
  const under = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file];
  const mayMount = spawnSync(under[0]!, [...under.slice(1), 'true']).status === 0;
  skip(!resolver.isBound || !mayMount, 'This user may not use port 53 and mounts.');
  return { resolver, under };
}

/** Keeps the hosts of the requests that arrive. */
async function startNamedReceiver() {
  const hosts = new Set<string>();
  const server = createServer(({ headers }, response) => {
    hosts.add(String(headers.host));
    response.writeHead(204).end();
  });
  return { hosts, port: await listen(server) };
}

/** A name server that does not answer before `answer` is called. Then every name is 127.0.0.1. */
async function startResolver() {
  const address = '127.0.0.153';
  const socket = createSocket('udp4');
  let answers = false;
  const questions: Buffer[] = [];
  socket.on('message', (question, { port, address: from }) => {
    questions.push(question);
    if (!answers) return;
    // RFC 1035, section 4.1: the header and question, with an answer that points to the name. Other types
    // than A have none.
    const end = question.indexOf(0, 12) + 5;
    const isA = question.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat([header, question.subarray(12, end), ...(isA ? [record] : [])]), port, from);
  });
  const isBound = await once(socket.bind(53, address), 'listening').then(
    () => true,
    () => false,
  );
  onTestFinished(() => void socket.close());
  const answer = () => {
    answers = true;
  };
  return { isBound, address, questions, answer };
}
