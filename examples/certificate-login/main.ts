import { Pki } from '@sinete/client';
import { listen } from '../listen.ts';
import { bundlePage } from './bundle.ts';
import { createLogin } from './login.ts';

const {
  PORT = '9800',
  PKI_URL = 'http://localhost:3000/pki',
  PKI_KEY = 'sandbox|sinete-local-key',
  SECURITY_CONTEXT, // unset, it is ICP-Brasil's
} = process.env;

// The key stays on this server, out of the browser.
const pki = new Pki({ url: PKI_URL, key: PKI_KEY });
listen(createLogin({ pki, securityContextId: SECURITY_CONTEXT, scripts: await bundlePage() }), PORT);
