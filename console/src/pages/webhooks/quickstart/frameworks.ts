// A receiver in each framework, for one endpoint: the files of interop/frameworks, which `npm run interop` lets a
// Concord check, with its addresses filled in.

import python from '../../../../../docs/receivers/receiver.py?raw';
import rust from '../../../../../docs/receivers/receiver.rs?raw';
import java from '../../../../../docs/receivers/Webhooks.java?raw';
import spring from '../../../../../interop/frameworks/java/src/main/java/Receiver.java?raw';
import next from '../../../../../interop/frameworks/javascript/app/hooks/route.js?raw';
import express from '../../../../../interop/frameworks/javascript/express.mjs?raw';
import fastify from '../../../../../interop/frameworks/javascript/fastify.mjs?raw';
import hono from '../../../../../interop/frameworks/javascript/hono.mjs?raw';
import nest from '../../../../../interop/frameworks/javascript/nest.ts?raw';
import django from '../../../../../interop/frameworks/python/django_app.py?raw';
import fastapi from '../../../../../interop/frameworks/python/fastapi_app.py?raw';
import flask from '../../../../../interop/frameworks/python/flask_app.py?raw';
import receive from '../../../../../interop/frameworks/python/receive.py?raw';
import axum from '../../../../../interop/frameworks/rust/src/main.rs?raw';
import { inModule, type Place } from './servers.ts';

export const frameworks = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  next: 'Next.js',
  nest: 'NestJS',
  fastapi: 'FastAPI',
  django: 'Django',
  flask: 'Flask',
  axum: 'axum',
  spring: 'Spring',
} as const;
export type Framework = keyof typeof frameworks;

export type File = { readonly label: string; readonly text: string };

/** Puts these values where the files read the environment, and the path of the URL for theirs. */
function fill(text: string, { url, partner, jwks }: Place): string {
  const values = { WEBHOOK_URL: url, PARTNER: partner, JWKS: jwks };
  const names = ['WEBHOOK_URL', 'PARTNER', 'JWKS'] as const;
  const filled = names.reduce(
    (result, name) =>
      result
        .replaceAll(`System.getenv("${name}")`, JSON.stringify(values[name]))
        .replaceAll(`var("${name}").unwrap()`, `${JSON.stringify(values[name])}.to_string()`),
    text,
  );
  return filled
    .replace(
      'URL, PARTNER, JWKS = (os.environ[name] for name in ("WEBHOOK_URL", "PARTNER", "JWKS"))',
      `URL = ${JSON.stringify(url)}\nPARTNER = ${JSON.stringify(partner)}\nJWKS = ${JSON.stringify(jwks)}`,
    )
    .replaceAll(/Number\(process\.env\.PORT\)|int\(os\.environ\["PORT"\]\)/g, '8080')
    .replaceAll('format!("127.0.0.1:{}", var("PORT").unwrap())', '"127.0.0.1:8080"')
    .replaceAll('System.getenv("PORT")', '8080')
    .replace(/^import process from 'node:process';\n/m, '')
    .replace('use std::{env::var, time::SystemTime};', 'use std::time::SystemTime;')
    .replace('import email.message, json, os, urllib.request', 'import email.message, json, urllib.request')
    .replaceAll('/hooks', new URL(url).pathname)
    .replaceAll(/path\("hooks"/g, `path(${JSON.stringify(new URL(url).pathname.slice(1))}`);
}

const inJavaScript =
  (packages: string, label: string, text: string) =>
  (place: Place): File[] => [
    {
      label: 'Install',
      text: `npm install ${new URL('/packages/webhook-receiver.tgz', place.jwks).href} ${packages}`,
    },
    { label: 'receiver.mjs', text: inModule(place) },
    { label, text: fill(text, place) },
  ];
const inPython =
  (packages: string, text: string) =>
  (place: Place): File[] => [
    { label: 'Install', text: `pip install "http-message-signatures>=3" cryptography ${packages}` },
    { label: 'app.py: python app.py', text: fill(text, place) },
    { label: 'receive.py', text: fill(receive, place) },
    { label: 'verify.py', text: python },
  ];

export const inFrameworks: Readonly<Record<Framework, (place: Place) => File[]>> = {
  express: inJavaScript('express', 'express.mjs: node express.mjs', express),
  fastify: inJavaScript('fastify', 'fastify.mjs: node fastify.mjs', fastify),
  hono: inJavaScript('hono @hono/node-server', 'hono.mjs: node hono.mjs', hono),
  next: (place) =>
    inJavaScript(
      'next react react-dom',
      `app${new URL(place.url).pathname.replace(/\/$/, '')}/route.js`,
      next,
    )(place).map((file) => ({
      ...file,
      text: file.text.replace("'../../receiver.mjs'", "'@/receiver.mjs'"),
    })),
  nest: inJavaScript(
    '@nestjs/common @nestjs/core @nestjs/platform-express reflect-metadata rxjs',
    'main.ts',
    nest,
  ),
  fastapi: inPython('fastapi uvicorn', fastapi),
  django: inPython('django', django),
  flask: inPython('flask', flask),
  axum: (place) => [
    {
      label: 'Install',
      text: 'cargo add axum@0.8 httpsig-hyper@0.0.26 http http-body-util base64 bytes serde_json tokio@1 --features tokio/full\ncargo add ureq@3 --features json',
    },
    { label: 'src/main.rs: cargo run', text: fill(axum, place) },
    { label: 'src/verify.rs', text: rust },
  ],
  spring: (place) => [
    {
      label: 'Dependencies',
      text: 'org.springframework.boot:spring-boot-starter-web\norg.greenbytes.http:structured-fields:0.4\ncom.google.code.gson:gson:2.11.0',
    },
    { label: 'Receiver.java', text: fill(spring, place) },
    { label: 'Webhooks.java', text: java },
  ],
};
