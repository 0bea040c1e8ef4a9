import { positionNow } from '../../../../../../shared/ui/browser/position.ts';
import type { Api } from './api.ts';

export type LocationRequirement = 'Disabled' | 'Optional' | 'Required' | 'BestEffort';

const TRIES: Readonly<Record<LocationRequirement, number>> = {
  Disabled: 0,
  Optional: 1,
  Required: 1,
  BestEffort: 3,
};

/** Tells the server where this device is, as the session wishes. Whether it could. */
export async function locate(
  api: Api,
  wish: LocationRequirement,
  device: 'Capture' | 'Origin',
): Promise<boolean> {
  for (let tries = 0; tries < TRIES[wish]; tries++) {
    const position = await positionNow();
    if (!position) continue;
    const { latitude, longitude, accuracy } = position.coords;
    await api.locate({ device, latitude, longitude, accuracyMeters: accuracy });
    return true;
  }
  return false;
}
