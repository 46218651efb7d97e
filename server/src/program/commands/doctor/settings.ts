// The doctor on settings.
import { isLoopback } from '../../../base/config-values.ts';
import { baseUrlOf, type Config, ConfigError, type Environment, readConfig } from '../../config.ts';
import { allOf, error, type Finding, note, orOk, warning } from './finding.ts';

/** A faulty setting is a finding, and the others are read without it: each fault is of a variable that is set. */
export function readSettings(environment: Environment): {
  config: Config;
  faults: readonly string[];
  warnings: readonly string[];
} {
  try {
    return { ...readConfig(environment), faults: [] };
  } catch (problem) {
    if (!(problem instanceof ConfigError)) throw problem;
    const { problems } = problem;
    const faulty = new Set(problems.flatMap((each) => each.split(': ')[0]?.split(', ') ?? []));
    // What is there without the other of a pair goes too.
    const isFaulty = (name: string) =>
      problems.some((each) => each.includes(name)) || faulty.has(name.replace(/_FILE$/, ''));
    const left = Object.entries(environment).filter(([name]) => !isFaulty(name));
    const { faults, ...read } = readSettings(Object.fromEntries(left));
    return { ...read, faults: [...problems, ...faults] };
  }
}

type Facts = {
  config: Config;
  environment: Environment;
  faults: readonly string[];
  warnings: readonly string[];
};

export function judgeSettings({ config, environment, faults, warnings }: Facts): readonly Finding[] {
  const findings = [
    ...faults.map((text) =>
      error(
        `${text}.`,
        'Correct the setting: Concord does not start with it. docs/configuration.md describes every setting.',
      ),
    ),
    ...warnings.map((text) => warning(text, 'Correct the name, or remove the variable.')),
    ...judgeAddress(config),
    ...judgeWebhooks(config),
    environment.NODE_TLS_REJECT_UNAUTHORIZED === '0' &&
      error(
        'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates of receivers, mail servers and the database are not checked.',
        'Remove the variable. NODE_EXTRA_CA_CERTS adds a certificate authority of your own.',
      ),
    config.CONCORD_RATE_LIMIT === 'off' &&
      warning(
        'CONCORD_RATE_LIMIT is off: passwords can be guessed without limit.',
        'Remove it. It is for load tests.',
      ),
    config.CONCORD_OPERATOR_MFA === 'optional' &&
      isPublic(config) &&
      note(
        'Operators need no second factor.',
        'Set CONCORD_OPERATOR_MFA=required when each operator has one.',
      ),
    config.CONCORD_SMTP_URL !== null &&
      config.CONCORD_MAIL_FROM.endsWith('@localhost>') &&
      warning(
        `Mail has the sender ${config.CONCORD_MAIL_FROM}, which most servers refuse.`,
        'Set CONCORD_MAIL_FROM to an address of your domain.',
      ),
  ];
  return orOk(findings, 'Every setting is valid.');
}

export const isPublic = (config: Config): boolean => !isLoopback(new URL(baseUrlOf(config)).hostname);

function judgeAddress(config: Config): Finding[] {
  const {
    CONCORD_BASE_URL: baseUrl,
    CONCORD_TRUSTED_PROXIES: proxies,
    CONCORD_ROLE: role,
    HOST: host,
  } = config;
  const setIt = 'Set CONCORD_BASE_URL to the https URL at which clients reach Concord.';
  const isProxied = proxies.length > 0;
  return allOf([
    baseUrl === null &&
      isProxied &&
      error(
        'CONCORD_TRUSTED_PROXIES is set without CONCORD_BASE_URL: links in mails lead to this machine, not to the proxy.',
        setIt,
      ),
    baseUrl === null &&
      !isProxied &&
      !isLoopback(host) &&
      host !== '::1' &&
      warning(
        `Concord listens on ${host} without CONCORD_BASE_URL: links in mails lead to ${baseUrlOf(config)}.`,
        setIt,
      ),
    baseUrl?.startsWith('https:') &&
      !isProxied &&
      isPublic(config) &&
      role !== 'worker' &&
      warning(
        'CONCORD_BASE_URL is https, so a proxy is in front of Concord, but CONCORD_TRUSTED_PROXIES is not set: all clients share the limits of the address of the proxy.',
        'Set CONCORD_TRUSTED_PROXIES to the address from which the proxy connects.',
      ),
    isPublic(config) &&
      baseUrlOf(config).startsWith('http:') &&
      warning(
        `The base URL ${baseUrlOf(config)} is http: passwords and sessions are readable on the way, and browsers do not keep the session.`,
        'Put a proxy with TLS in front, and set CONCORD_BASE_URL to its https URL and CONCORD_TRUSTED_PROXIES to its address.',
      ),
  ]);
}

function judgeWebhooks(config: Config): Finding[] {
  const { CONCORD_WEBHOOK_ALLOWED_CIDRS: allowed, CONCORD_WEBHOOK_ALLOW_HTTP: http } = config;
  return allOf([
    allowed.some((cidr) => cidr.endsWith('/0')) &&
      isPublic(config) &&
      warning(
        'CONCORD_WEBHOOK_ALLOWED_CIDRS allows every address: whoever creates an endpoint can reach your own network.',
        'Name the networks of receivers only.',
      ),
    http &&
      isPublic(config) &&
      note(
        'CONCORD_WEBHOOK_ALLOW_HTTP=true: events can go over http, readable on the way.',
        'Remove it when no receiver needs it.',
      ),
  ]);
}
