// `node tools/node.cjs ARGUMENTS`: runs the Node that package-lock.json pins. The scripts of package.json
// start every program with it.
// Node 18 runs this file, and older ones get a sentence. So the syntax is old, and nothing is loaded before
// the versions are known.
'use strict';

const minNode = 18;
const minNpm = 9;

const major = (version) => Number(version.split('.')[0]);

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function refuseOld() {
  const npm = /^npm\/(\d+\.\d+\.\d+)/.exec(process.env.npm_config_user_agent || '');
  const npmVersion = npm === null ? null : npm[1];
  if (major(process.versions.node) >= minNode && (npmVersion === null || major(npmVersion) >= minNpm)) return;
  const found = `Node ${process.versions.node}${npmVersion === null ? '' : ` with npm ${npmVersion}`}`;
  fail(
    `Concord needs Node ${minNode} or later with npm ${minNpm} or later, and this is ${found}: install newer ones, then run npm ci.`,
  );
}

/**
 * The package of this platform has one of two names. npm 9 and 10 do not link its program into
 * node_modules/.bin.
 */
function findPinned() {
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  const platform = `${process.platform}-${process.arch}`;
  const paths = [`node-${platform}`, `node-bin-${platform}`].map((name) =>
    join(__dirname, '../node_modules', name, 'bin/node'),
  );
  const found = paths.find(existsSync);
  if (found === undefined)
    fail(
      `The Node that Concord runs on is not installed for ${platform}: run npm ci, without --omit=optional.`,
    );
  return found;
}

function run(program) {
  const { spawn } = require('node:child_process');
  const { realpathSync } = require('node:fs');
  const { delimiter, dirname } = require('node:path');
  // What the program starts by the name `node` is the same Node.
  const env = Object.assign({}, process.env, {
    PATH: `${dirname(program)}${delimiter}${process.env.PATH || ''}`,
  });
  // npm finds node_modules/.bin/node first, so this often is that Node already. Then no second process stays, and
  // the program gets a Ctrl-C from the terminal and from npm.
  if (process.execve && process.execPath === realpathSync(program))
    process.execve(program, [program].concat(process.argv.slice(2)), env);
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', env });
  const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];
  // Ctrl-C reaches the program from the terminal too, and npm repeats it. Each signal is passed on once.
  const forwarded = new Set();
  for (const signal of signals) {
    process.on(signal, () => {
      if (forwarded.has(signal)) return;
      forwarded.add(signal);
      child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`${program} cannot be run: ${error.message}`));
  child.on('exit', (code, signal) => {
    // 127: the loader of the system did not find a library, and has said which.
    if (code === 127)
      process.stderr.write('Node needs a library of the system. On Debian: apt-get install libatomic1\n');
    process.exitCode = signal === null ? code : 1;
    if (signal === null) return;
    // Whoever started this sees how the program ended.
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

refuseOld();
run(findPinned());
