import { settings } from '../../settings.ts';

/** The authorities that stamp the signatures of profiles with `timestamp`, in the order in which they are asked. */
export const timestampAuthorities = (): readonly string[] => settings['Signing:TimestampAuthorities'] ?? [];
