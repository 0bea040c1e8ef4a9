import * as z from 'zod';
import { SESSION_ID, TOKEN } from '../../examples.ts';

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

const SUBJECT_ID = '9c5b94b1-35ad-49bb-b118-8e8fc24abf80';

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
  .refine(hasAddress, ONE_OF_TWO)
  .meta({
    description: 'Where the person goes back to, and what is captured.',
    examples: [{ returnUrl: 'http://localhost:9999/return', subjectIdentifier: '52998224725' }],
  });

export const StartBioEnrollmentSessionRequest = z
  .object({
    ...started,
    subjectIdentifier,
    dangerousOverrideIfAlreadyEnrolled: z
      .boolean()
      .nullish()
      .describe('Puts the new face in the place of the one that is enrolled, without comparing the two.'),
  })
  .refine(hasAddress, ONE_OF_TWO)
  .meta({
    description: 'Whose face is enrolled, and where the person goes back to.',
    examples: [{ returnUrl: 'http://localhost:9999/return', subjectIdentifier: '52998224725' }],
  });

export const StartBioSessionResponse = z
  .object({
    sessionType: z.enum(SESSION_TYPES),
    sessionId: z.uuid(),
    sessionUrl: z.url().describe('The page that the person opens. Whoever has it can act in the session.'),
  })
  .meta({
    description: 'The session, and the page that the person opens.',
    examples: [
      {
        sessionType: 'Liveness',
        sessionId: SESSION_ID,
        sessionUrl: `http://localhost:3000/pki/bio/sessions/${SESSION_ID}?token=${TOKEN}`,
      },
    ],
  });

export const CompleteBioSessionRequest = z
  .object({
    ticket: z.string().min(1).max(200).describe('The `completeTicket` of the return. Single use.'),
  })
  .meta({ description: 'The ticket of the return.', examples: [{ ticket: TOKEN }] });

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

const PASSED = {
  sessionId: SESSION_ID,
  success: true,
  resultDataAvailable: false,
  idCaptureStatus: null,
  failure: null,
  geolocations: [],
};
const LIVENESS = { ...PASSED, faceLivenessStatus: { provider: 'Sandbox', success: true, attemptCount: 1 } };
const ENROLLMENT = {
  ...PASSED,
  subjectIdentifier: '52998224725',
  subjectId: SUBJECT_ID,
  livenessStatus: { success: true, attemptCount: 1 },
};

export const LivenessSessionStatusModel = z
  .object({
    ...status,
    faceLivenessStatus: z
      .object({ provider: z.string(), success: z.boolean(), attemptCount: z.int() })
      .nullable(),
  })
  .meta({ description: 'The outcome of a liveness session.', examples: [LIVENESS] });

export const BioEnrollmentSessionStatusModel = z
  .object({
    ...status,
    subjectIdentifier: z.string().nullable(),
    subjectId: z.uuid().nullable(),
    livenessStatus: z.object({ success: z.boolean(), attemptCount: z.int() }).nullable(),
  })
  .meta({ description: 'The outcome of an enrollment session.', examples: [ENROLLMENT] });

export const BioSessionStatusModel = z
  .union([LivenessSessionStatusModel, BioEnrollmentSessionStatusModel])
  .meta({ description: 'The outcome of a session of either kind.', examples: [LIVENESS, ENROLLMENT] });

export const BioSessionParams = z.object({
  kind: z
    .enum(['liveness', 'enrollment'])
    .meta({ description: 'The kind of the session.', examples: ['liveness'] }),
  sessionId: z.uuid().meta({ description: 'The id of the session.', examples: [SESSION_ID] }),
});
