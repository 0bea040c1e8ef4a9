import { address, bytes, choice, duration, flag } from './kinds.ts';
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
    'Within each of these a body must go on arriving. Where the host hands bodies over whole, as API Gateway does, the host watches.',
    { min: 1 },
  ),
  'Http:MinBodyBytesPerWindow': bytes(
    10_240,
    'Fewest bytes of a body that must arrive in Http:BodyWindow while they are waited for. One that trickles is refused.',
  ),
  'Http:ShareProcessor': flag(
    false,
    'While several applications call, one call of each computes at a time. For a process that serves many at once, as the local engine does.',
  ),
  'Http:CheckAnswers': flag(
    false,
    'Holds every answer against its contract; a difference is an unexpected failure. For tests.',
  ),
  'Network:AllowPrivateAddresses': flag(
    false,
    'Lets calls to addresses that others choose reach private and loopback machines. Only a sandbox on one machine wants it.',
  ),
  'Log:Level': choice('INFO', ['DEBUG', 'INFO', 'WARN', 'ERROR'], 'The least level that is logged.'),
});
