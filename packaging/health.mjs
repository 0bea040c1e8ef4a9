// The health check of the image: it has no curl. Ends with 0 where SINETE_HEALTH_URL answers 200.
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';

const url = new URL(process.env.SINETE_HEALTH_URL ?? 'http://127.0.0.1:3000/readyz');
const isSecure = url.protocol === 'https:';
// The certificate is for the public name, and this is the loopback of the same container.
const request = (isSecure ? getSecure : getPlain)(
  url,
  { rejectUnauthorized: false, timeout: 4_000 },
  (response) => {
    process.exit(response.statusCode === 200 ? 0 : 1);
  },
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
