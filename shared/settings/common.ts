import { keyring } from './keyring.ts';
import { address, bytes, choice, duration, flag, kmsKey, optional, requiredWhenDeployed } from './kinds.ts';
import { defineSettings } from './settings.ts';

/** Settings that every service shares. */
export const commonSettings = defineSettings('common', {
  'Http:PublicUrl': address(
    'http://localhost:3000',
    'Root of every absolute link. Links are built from it, never from a request header.',
  ),
  'Http:MaxBodyBytes': bytes(
    629_145_600, // fifty documents of ten megabytes in one form, and a margin
    'Largest body that reaches a function, decoded. A deployment sets what its cloud can carry.',
  ),
  'Http:BodyWindow': duration(
    10,
    'Time in which 10 KB of a body must arrive, again and again. A slower body is refused (Slowloris). An answer must be read as fast, with pauses of three times this; else its connection ends. Acts in the host and in the local engine: API Gateway passes whole bodies.',
    { min: 1 },
  ),
  'Http:CheckAnswers': flag(
    false,
    'Validates every response against its contract; a mismatch is an unexpected error. For tests.',
  ),
  'Network:AllowPrivateAddresses': flag(
    false,
    'Allows calls to private and loopback addresses that callers or certificates choose. Only a sandbox on one machine needs it.',
  ),
  'Access:CacheSeconds': duration(
    5,
    'How long a process uses the keys and permissions of applications that it has read, and pages and readiness show what was read. A key that another process revoked is accepted for so long; 0 reads it at every call. Webhooks, profiles, shares, providers, and whether mail is sent are read with the work that they decide.',
    { max: 300 },
  ),
  'Sealing:Keys': requiredWhenDeployed(
    keyring(
      'The ring of keys that seal every secret in the store: lines of ID:KEY, newest first, each KEY 32 bytes in base64. The first seals, all of them open. The local engine makes its own.',
    ),
    'no secret can be stored without it. Make one: npm run admin -- keys create --to PLACE (docs/operations.md).',
  ),
  'Sealing:KmsKey': kmsKey(
    'The ARN of the KMS key by which npm run admin -- keys encrypts the ring before it stores it. Functions may decrypt with it. Without it, the place of the ring alone protects it.',
  ),
  'Stores:LinksUrl': optional(
    address(
      '',
      'Where the links to files lead that a process with stores of its own gives out. AWS has its own addresses.',
    ),
  ),
  'Telemetry:OtlpEndpoint': optional(
    address(
      '',
      'Where spans are sent by OTLP over HTTP, as JSON, such as http://collector:4318. Nothing is sent where it is left out.',
    ),
  ),
  'Log:Level': choice('INFO', ['DEBUG', 'INFO', 'WARN', 'ERROR'], 'The lowest level that is logged.'),
});
