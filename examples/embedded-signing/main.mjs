import { listen } from '../listen.mjs';
import { createApp } from './app.mjs';

const {
  PORT = '9997',
  SINETE_URL = 'http://localhost:3000/documents',
  SINETE_KEY = 'sandbox|sinete-local-key',
} = process.env;

const app = createApp({ url: SINETE_URL, key: SINETE_KEY });
listen(app, PORT, '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
process.once('SIGTERM', () => app.close()).once('SIGINT', () => app.close());
