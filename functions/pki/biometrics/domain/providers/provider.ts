import { settings } from '../../../settings.ts';
import type { Fault } from '../failures.ts';

/** How the page captures one try: it takes frames itself, or leaves it to the provider's own module. */
export type Capture =
  | { readonly kind: 'frames'; readonly frames: number }
  | {
      readonly kind: 'module';
      readonly module: string;
      readonly sessionId: string;
      readonly region: string;
    };

/** Pictures in JPEG. They pass through and are kept nowhere. */
export type Taken = { readonly frames: readonly Buffer[]; readonly document?: Buffer };

/** What a provider found. `document` is there where one was given and had a face on it. */
export type Judgement = {
  readonly verdict: 'live' | Fault;
  readonly document?: { readonly matchedFace: boolean; readonly level: number };
};

/** The faces of one application: those of another are neither found nor told of. */
export type Gallery = string;

export type KeptFace = { readonly face: string; readonly subjectId: string };

/**
 * Whoever judges faces. `capture` is the provider's own name for a try, and leads it to what that try saw.
 * A method throws ProviderFailure when the provider did not do what it was asked.
 */
export type BiometricProvider = {
  readonly name: string;
  /** `subject` is whom the session is about, where it says so. */
  begin(about: { readonly subject: string | null }): Promise<{ capture: string; how: Capture }>;
  judge(capture: string, taken: Taken): Promise<Judgement>;
  /** The subjects in the gallery who have this face. */
  search(capture: string, gallery: Gallery): Promise<readonly string[] | 'noFace'>;
  /** Keeps the face for a subject, and gives the provider's name for it. */
  enrol(capture: string, gallery: Gallery, subjectId: string): Promise<string | 'noFace'>;
  /** Everything that the gallery has, forgotten tries included. */
  list(gallery: Gallery): Promise<readonly KeptFace[]>;
  forget(gallery: Gallery, face: string): Promise<void>;
};

/** The provider of this instance. Loaded when needed: the SDK of a cloud is more than most functions read. */
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

/** The provider could not be asked, or did not answer as it should. Nothing can be said of the person. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
}
