import { listen } from '../listen.ts';
import { createApp } from './app.ts';

const {
  PORT = '9997',
  SINETE_URL = 'http://localhost:3000/documents',
  SINETE_KEY = 'sandbox|sinete-local-key',
} = process.env;

listen(createApp({ url: SINETE_URL, key: SINETE_KEY }), PORT);
