import { settings } from '../../../settings.ts';
import { type BiometricProvider, ProviderFailure } from './provider.ts';

/** The configured provider. Loaded on demand: most functions need no cloud SDK. */
export async function biometricProvider(): Promise<BiometricProvider> {
  switch (settings['Biometrics:Provider']) {
    case 'Rekognition':
      return (await import('./rekognition.ts')).rekognition();
    case 'Http':
      return (await import('./http-provider.ts')).httpProvider();
    case 'None':
      throw new ProviderFailure('Biometrics:Provider is None.');
  }
}
