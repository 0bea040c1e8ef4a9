import { existsSync, readFileSync } from 'node:fs';
import { Hub } from '@sinete/client';
import { certificatesFromPem } from '../../shared/pki/pem.ts';
import { listen } from '../listen.ts';
import { createApp } from './app.ts';

const {
  PORT = '9999',
  HUB_URL = 'http://localhost:3000/hub',
  HUB_KEY = 'sandbox|sinete-local-key',
  CHAIN = '.local/pki/intermediate.crt',
} = process.env;

// Signing waits for the holder to confirm at the provider, which may take two minutes.
const MAX_WAIT_MS = 130_000;

if (!existsSync(CHAIN)) {
  console.error(`There is no ${CHAIN}, which npm start writes. For another data folder set CHAIN.`);
  process.exit(1);
}

const app = createApp({
  hub: new Hub({ url: HUB_URL, key: HUB_KEY, timeoutMs: MAX_WAIT_MS }),
  chain: certificatesFromPem(readFileSync(CHAIN, 'utf8')),
  // It must be registered for the key, to the letter.
  redirectUri: `http://localhost:${PORT}/return`,
});
listen(app, PORT);
