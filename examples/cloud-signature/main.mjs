import { existsSync, readFileSync } from 'node:fs';
import { certificatesFromPem } from '../../shared/pki/pem.ts';
import { listen } from '../listen.mjs';
import { createApp } from './app.mjs';
import { hubAt } from './hub.mjs';

const {
  PORT = '9999',
  HUB_URL = 'http://localhost:3000/hub',
  HUB_KEY = 'sandbox|sinete-local-key',
  CHAIN = '.local/pki/intermediate.crt',
} = process.env;

if (!existsSync(CHAIN)) {
  console.error(`There is no ${CHAIN}, which npm start writes. For another data folder set CHAIN.`);
  process.exit(1);
}

const app = createApp({
  hub: hubAt({ url: HUB_URL, key: HUB_KEY }),
  chain: certificatesFromPem(readFileSync(CHAIN, 'utf8')),
  // It must be registered for the key, to the letter.
  redirectUri: `http://localhost:${PORT}/return`,
});
listen(app, PORT, '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
process.once('SIGTERM', () => app.close()).once('SIGINT', () => app.close());
