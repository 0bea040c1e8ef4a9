import type { Fault } from '../failures.ts';

/** For one call. An enrollment makes three of them in one request, within the 29 s that API Gateway waits. */
export const PROVIDER_TIMEOUT_MS = 8_000;

/** How the page captures a try: it takes frames itself, or runs the module of the provider. */
export type Capture =
  | { readonly kind: 'frames'; readonly frames: number }
  | {
      readonly kind: 'module';
      readonly module: string;
      readonly sessionId: string;
      readonly region: string;
    };

/** JPEG pictures. They are passed on and stored nowhere. */
export type CapturedPictures = { readonly frames: readonly Buffer[]; readonly document?: Buffer };

/** The judgement of a provider. `document` is set where a document was given and shows a face. */
export type Judgement = {
  readonly verdict: 'live' | Fault;
  readonly document?: { readonly matchedFace: boolean; readonly level: number };
};

/** The faces of one application: those of another are neither found nor told of. */
export type Gallery = string;

export type StoredFace = { readonly face: string; readonly subjectId: string };

/**
 * Whoever judges faces. `capture` is the provider's own name for a try, and leads it to what that try saw.
 * A method throws ProviderFailure when the provider did not do what it was asked.
 */
export type BiometricProvider = {
  readonly name: string;
  /** `subject` is whom the session is about, where it says so. */
  begin(about: { readonly subject: string | null }): Promise<{ capture: string; how: Capture }>;
  judge(capture: string, taken: CapturedPictures): Promise<Judgement>;
  /** The subjects in the gallery who have this face. */
  search(capture: string, gallery: Gallery): Promise<readonly string[] | 'noFace'>;
  /** Keeps the face for a subject, and gives the provider's name for it. */
  enrol(capture: string, gallery: Gallery, subjectId: string): Promise<string | 'noFace'>;
  /** Everything that the gallery has, forgotten tries included. */
  list(gallery: Gallery): Promise<readonly StoredFace[]>;
  forget(gallery: Gallery, face: string): Promise<void>;
};

/** The provider did not answer, or not as it should. Nothing is known about the person. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
}
