const PATIENCE_MS = 15_000;

/**
 * Where this device is; undefined where the person or the browser does not say. It asks the person.
 * @example const { latitude, longitude } = (await positionNow())?.coords ?? {};
 */
export const positionNow = (): Promise<GeolocationPosition | undefined> =>
  new Promise((done) => {
    if (!navigator.geolocation) return done(undefined);
    navigator.geolocation.getCurrentPosition(done, () => done(undefined), {
      enableHighAccuracy: true,
      timeout: PATIENCE_MS,
    });
  });
