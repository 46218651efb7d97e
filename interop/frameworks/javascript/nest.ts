import 'reflect-metadata';
import process from 'node:process';
import { toExpressHandler } from '@concord/webhook-receiver';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { receiver } from './receiver.mjs';

@Module({})
class AppModule {}

// Nest parses every body before a controller runs, unless bodyParser is off.
const app = await NestFactory.create(AppModule, { bodyParser: false, logger: false });
app.getHttpAdapter().post('/hooks', toExpressHandler(receiver));
await app.listen(Number(process.env.PORT), '127.0.0.1');
