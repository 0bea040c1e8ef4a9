import * as z from 'zod';

export const PLATFORM_PREFERENCES = ['NoPreference', 'PreferMobile', 'RequireMobile'] as const;
export const GEOLOCATION_TYPES = ['Disabled', 'Optional', 'Required', 'BestEffort'] as const;
export const GEOLOCATION_POLICIES = ['CollectOnCaptureDevice', 'CollectOnAllDevices'] as const;
const SESSION_TYPES = [
  'Liveness',
  'Enrollment',
  'Authentication',
  'Identification',
  'IdentificationDocumentCapture',
] as const;
export const FAILURES = [
  'FaceNotFoundWithSufficientQuality',
  'FaceLiveness2dFailed',
  'FaceCaptureFailed',
  'DocumentCaptureFailed',
  'FaceIdentityVerificationFailed',
  'DuplicatesFound',
  'AttemptsLimitReached',
  'SessionAborted',
] as const;

const MAX_ADDRESS = 2_048;
const MAX_SUBJECT = 254; // an e-mail address, the longest of the kinds there are

const started = {
  returnUrl: z
    .string()
    .max(MAX_ADDRESS)
    .nullish()
    .describe('Where the person goes back to, registered to the letter. `completeTicket` is added to it.'),
  trustedOrigin: z
    .string()
    .max(MAX_ADDRESS)
    .nullish()
    .describe('The origin that embeds the session page and is sent the ticket, registered to the letter.'),
  platformPreference: z.enum(PLATFORM_PREFERENCES).nullish(),
  faceCaptureProvider: z
    .enum(['FaceTecLiveness3d'])
    .nullish()
    .describe('Taken and not followed: an instance has one provider, and the status names it.'),
  captureIdentificationDocument: z.boolean().nullish(),
  geolocationCaptureType: z.enum(GEOLOCATION_TYPES).nullish(),
  geolocationCapturePolicy: z.enum(GEOLOCATION_POLICIES).nullish(),
};
const subjectIdentifier = z.string().trim().min(1).max(MAX_SUBJECT);

type Addresses = { readonly returnUrl?: string | null; readonly trustedOrigin?: string | null };
const hasAddress = ({ returnUrl, trustedOrigin }: Addresses): boolean => Boolean(returnUrl || trustedOrigin);
const ONE_OF_TWO = { path: ['returnUrl'], error: 'or trustedOrigin is required' };

export const StartLivenessSessionRequest = z
  .object({ ...started, subjectIdentifier: subjectIdentifier.nullish() })
  .refine(hasAddress, ONE_OF_TWO);

export const StartBioEnrollmentSessionRequest = z
  .object({
    ...started,
    subjectIdentifier,
    dangerousOverrideIfAlreadyEnrolled: z
      .boolean()
      .nullish()
      .describe('Puts the new face in the place of the one that is enrolled, without comparing the two.'),
  })
  .refine(hasAddress, ONE_OF_TWO);

export const StartBioSessionResponse = z.object({
  sessionType: z.enum(SESSION_TYPES),
  sessionId: z.uuid(),
  sessionUrl: z.url().describe('The page that the person opens. Whoever has it can act in the session.'),
});

export const CompleteBioSessionRequest = z.object({
  ticket: z.string().min(1).max(200).describe('The `completeTicket` of the return. Single use.'),
});

const IdCaptureStatus = z.object({
  success: z.boolean(),
  matchedFace: z.boolean(),
  matchedFaceLevel: z.number().nullable().describe('How much alike the two faces are, from 0 to 100.'),
});
const Geolocation = z.object({
  device: z.enum(['Capture', 'Origin']),
  latitude: z.number(),
  longitude: z.number(),
  accuracyMeters: z.number().nullable(),
});
const status = {
  sessionId: z.uuid(),
  success: z.boolean().nullable().describe('Null while the session is in progress.'),
  resultDataAvailable: z.boolean().describe('Always false: no picture is kept.'),
  idCaptureStatus: IdCaptureStatus.nullable(),
  failure: z.enum(FAILURES).nullable(),
  geolocations: z.array(Geolocation),
};

export const LivenessSessionStatusModel = z.object({
  ...status,
  faceLivenessStatus: z
    .object({ provider: z.string(), success: z.boolean(), attemptCount: z.int() })
    .nullable(),
});

export const BioEnrollmentSessionStatusModel = z.object({
  ...status,
  subjectIdentifier: z.string().nullable(),
  subjectId: z.uuid().nullable(),
  livenessStatus: z.object({ success: z.boolean(), attemptCount: z.int() }).nullable(),
});

export const BioSessionParams = z.object({
  kind: z.enum(['liveness', 'enrollment']),
  sessionId: z.uuid(),
});
