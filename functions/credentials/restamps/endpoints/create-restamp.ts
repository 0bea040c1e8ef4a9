import { CreateRestamp } from '../contract.ts';
import { createRestamp } from '../domain/create-restamp.ts';
import { restampRoutes } from '../routes.ts';

export const handler = restampRoutes.create({
  description:
    'Stamps a signed file again, before anything expires. The token is obtained in the background; then the restamp is applied. A file has one open restamp at a time. Files with timestamps are stamped without this call before those expire (`Restamps:BeforeExpiry`).',
  body: CreateRestamp,
  refuses: [
    'ItemNotFound',
    'FileNotFound',
    'FileNotSigned',
    'FileChanged',
    'RestampPending',
    'TooManyRestamps',
    'TimestampAuthorityRequired',
  ],
  run: (caller, _, body, nowMs) => createRestamp(caller, body, nowMs),
});
