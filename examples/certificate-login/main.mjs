import { listen } from '../listen.mjs';
import { bundlePage } from './bundle.mjs';
import { createLogin } from './login.mjs';
import { pkiAt } from './pki.mjs';

const {
  PORT = '9800',
  PKI_URL = 'http://localhost:3000/pki',
  PKI_KEY = 'sandbox|sinete-local-key',
  SECURITY_CONTEXT, // unset, it is ICP-Brasil's
} = process.env;

const login = createLogin({
  pki: pkiAt({ url: PKI_URL, key: PKI_KEY, securityContextId: SECURITY_CONTEXT }),
  scripts: await bundlePage(),
});
listen(login, PORT, '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
process.once('SIGTERM', () => login.close()).once('SIGINT', () => login.close());
