// The doctor on settings.
import { isLoopback } from '../../../base/config-values.ts';
import { baseUrlOf, type Config, ConfigError, type Environment, readConfig } from '../../config.ts';
import { error, type Finding, note, orOk, warning } from './finding.ts';

const maxRounds = 5;

/** A faulty setting is a finding, and the others are read without it. Null: that failed too. */
export function readSettings(environment: Environment): {
  config: Config | null;
  faults: readonly string[];
  warnings: string[];
} {
  const faults: string[] = [];
  let left = environment;
  for (let round = 0; round < maxRounds; round++) {
    try {
      return { ...readConfig(left), faults };
    } catch (problem) {
      if (!(problem instanceof ConfigError)) throw problem;
      faults.push(...problem.problems);
      const faulty = new Set(problem.problems.flatMap((each) => each.split(': ')[0]?.split(', ') ?? []));
      // What is there without the other of a pair goes too.
      const isFaulty = (name: string) =>
        problem.problems.some((each) => each.includes(name)) || faulty.has(name.replace(/_FILE$/, ''));
      left = Object.fromEntries(Object.entries(left).filter(([name]) => !isFaulty(name)));
    }
  }
  return { config: null, faults, warnings: [] };
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
  ];
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    const action = 'Remove the variable. NODE_EXTRA_CA_CERTS adds a certificate authority of your own.';
    findings.push(
      error(
        'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates of receivers, mail servers and the database are not checked.',
        action,
      ),
    );
  }
  if (config.CONCORD_RATE_LIMIT === 'off')
    findings.push(
      warning(
        'CONCORD_RATE_LIMIT is off: passwords can be guessed without limit.',
        'Remove it. It is for load tests.',
      ),
    );
  if (config.CONCORD_OPERATOR_MFA === 'optional' && isPublic(config))
    findings.push(
      note(
        'Operators need no second factor.',
        'Set CONCORD_OPERATOR_MFA=required when each operator has one.',
      ),
    );
  if (config.CONCORD_SMTP_URL !== null && config.CONCORD_MAIL_FROM.endsWith('@localhost>'))
    findings.push(
      warning(
        `Mail has the sender ${config.CONCORD_MAIL_FROM}, which most servers refuse.`,
        'Set CONCORD_MAIL_FROM to an address of your domain.',
      ),
    );
  return orOk(findings, 'Every setting is valid.');
}

export const isPublic = (config: Config): boolean => !isLoopback(new URL(baseUrlOf(config)).hostname);

function judgeAddress(config: Config): Finding[] {
  const { CONCORD_BASE_URL: baseUrl, CONCORD_TRUSTED_PROXIES: proxies, HOST: host } = config;
  const { CONCORD_ROLE: role } = config;
  const findings: Finding[] = [];
  const setIt = 'Set CONCORD_BASE_URL to the https URL at which clients reach Concord.';
  if (baseUrl === null && proxies.length > 0)
    findings.push(
      error(
        'CONCORD_TRUSTED_PROXIES is set without CONCORD_BASE_URL: links in mails lead to this machine, not to the proxy.',
        setIt,
      ),
    );
  else if (baseUrl === null && !isLoopback(host) && host !== '::1')
    findings.push(
      warning(
        `Concord listens on ${host} without CONCORD_BASE_URL: links in mails lead to ${baseUrlOf(config)}.`,
        setIt,
      ),
    );
  else if (proxies.length === 0 && isPublic(config) && baseUrl?.startsWith('https:') && role !== 'worker')
    findings.push(
      warning(
        'CONCORD_BASE_URL is https, so a proxy is in front of Concord, but CONCORD_TRUSTED_PROXIES is not set: all clients share the limits of the address of the proxy.',
        'Set CONCORD_TRUSTED_PROXIES to the address from which the proxy connects.',
      ),
    );
  if (isPublic(config) && baseUrlOf(config).startsWith('http:')) {
    const text = `The base URL ${baseUrlOf(config)} is http: passwords and sessions are readable on the way, and browsers do not keep the session.`;
    findings.push(
      warning(
        text,
        'Put a proxy with TLS in front, and set CONCORD_BASE_URL to its https URL and CONCORD_TRUSTED_PROXIES to its address.',
      ),
    );
  }
  return findings;
}

function judgeWebhooks(config: Config): Finding[] {
  const { CONCORD_WEBHOOK_ALLOWED_CIDRS: allowed, CONCORD_WEBHOOK_ALLOW_HTTP: http } = config;
  const findings: Finding[] = [];
  if (allowed.some(isEverywhere) && isPublic(config))
    findings.push(
      warning(
        'CONCORD_WEBHOOK_ALLOWED_CIDRS allows every address: who creates an endpoint reaches your own network.',
        'Name the networks of receivers only.',
      ),
    );
  if (http && isPublic(config))
    findings.push(
      note(
        'CONCORD_WEBHOOK_ALLOW_HTTP=true: events can go over http, readable on the way.',
        'Remove it when no receiver needs it.',
      ),
    );
  return findings;
}

const isEverywhere = (cidr: string): boolean => cidr.endsWith('/0');
