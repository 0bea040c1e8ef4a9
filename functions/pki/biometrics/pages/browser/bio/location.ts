import type { Api } from './api.ts';

export type LocationRequirement = 'Disabled' | 'Optional' | 'Required' | 'BestEffort';

const TRIES: Readonly<Record<LocationRequirement, number>> = {
  Disabled: 0,
  Optional: 1,
  Required: 1,
  BestEffort: 3,
};
const PATIENCE_MS = 15_000;

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

const positionNow = (): Promise<GeolocationPosition | undefined> =>
  new Promise((done) => {
    if (!navigator.geolocation) return done(undefined);
    navigator.geolocation.getCurrentPosition(done, () => done(undefined), {
      enableHighAccuracy: true,
      timeout: PATIENCE_MS,
    });
  });
