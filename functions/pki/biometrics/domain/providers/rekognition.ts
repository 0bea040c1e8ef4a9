import {
  CompareFacesCommand,
  type CompareFacesCommandOutput,
  CreateCollectionCommand,
  CreateFaceLivenessSessionCommand,
  DeleteFacesCommand,
  GetFaceLivenessSessionResultsCommand,
  IndexFacesCommand,
  ListFacesCommand,
  RekognitionClient,
  SearchFacesByImageCommand,
} from '@aws-sdk/client-rekognition';
import { stage } from '../../../../../shared/settings/names.ts';
import { settings } from '../../../settings.ts';
import {
  type BiometricProvider,
  type Gallery,
  type Judgement,
  PROVIDER_TIMEOUT_MS,
  ProviderFailure,
  type StoredFace,
} from './provider.ts';

let client: RekognitionClient | undefined;
const sdk = (): RekognitionClient => {
  client ??= new RekognitionClient({
    region: settings['Biometrics:Region'],
    requestHandler: {
      requestTimeout: PROVIDER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  return client;
};

const collectionOf = (gallery: Gallery): string => `sinete-${stage()}-pki-${gallery}`;

// One match without duplicates, and some more to show duplicates.
const MAX_MATCHES = 10;

/**
 * Amazon Rekognition Face Liveness. The browser streams the video to Rekognition with Amazon's client. The reference
 * picture of the session is read back for each comparison and stored nowhere.
 */
export const rekognition = (): BiometricProvider => ({
  name: 'RekognitionFaceLiveness',
  begin: () =>
    callRekognition('begin', async () => {
      const { SessionId } = await sdk().send(new CreateFaceLivenessSessionCommand({}));
      if (!SessionId) throw new ProviderFailure('Rekognition gave a session no id.');
      const module = settings['Biometrics:CaptureModule'] ?? '';
      const region = settings['Biometrics:Region'];
      return { capture: SessionId, how: { kind: 'module', module, sessionId: SessionId, region } };
    }),
  judge: (capture, { document }) =>
    callRekognition('judge', async () => {
      const { Status, Confidence = 0, ReferenceImage } = await resultsOf(capture);
      if (Status !== 'SUCCEEDED') return { verdict: 'captureFailed' };
      if (Confidence < settings['Biometrics:LivenessConfidence']) return { verdict: 'notLive' };
      return document ? compareFaces(ReferenceImage?.Bytes, document) : { verdict: 'live' };
    }),
  search: (capture, gallery) =>
    callRekognition('search', async () => {
      const { FaceMatches = [] } = await inCollection(gallery, async (CollectionId) =>
        sdk().send(
          new SearchFacesByImageCommand({
            CollectionId,
            Image: { Bytes: await faceOf(capture) },
            FaceMatchThreshold: settings['Biometrics:MatchLevel'],
            MaxFaces: MAX_MATCHES,
          }),
        ),
      );
      return FaceMatches.flatMap(({ Face }) => Face?.ExternalImageId ?? []);
    }).catch(noFace),
  enrol: (capture, gallery, subjectId) =>
    callRekognition('enrol', async () => {
      const { FaceRecords = [] } = await inCollection(gallery, async (CollectionId) =>
        sdk().send(
          new IndexFacesCommand({
            CollectionId,
            Image: { Bytes: await faceOf(capture) },
            ExternalImageId: subjectId,
            MaxFaces: 1,
            QualityFilter: 'AUTO',
          }),
        ),
      );
      // Rekognition omits a face of insufficient quality.
      return FaceRecords[0]?.Face?.FaceId ?? ('noFace' as const);
    }).catch(noFace),
  list: (gallery) =>
    callRekognition('list', () =>
      inCollection(gallery, async (CollectionId) => {
        const faces: StoredFace[] = [];
        let NextToken: string | undefined;
        do {
          const page = await sdk().send(new ListFacesCommand({ CollectionId, NextToken }));
          for (const { FaceId: face = '', ExternalImageId: subjectId = '' } of page.Faces ?? [])
            faces.push({ face, subjectId });
          NextToken = page.NextToken;
        } while (NextToken);
        return faces;
      }),
    ),
  forget: (gallery, face) =>
    callRekognition('forget', async () => {
      await inCollection(gallery, (CollectionId) =>
        sdk().send(new DeleteFacesCommand({ CollectionId, FaceIds: [face] })),
      );
    }),
});

const resultsOf = (SessionId: string) => sdk().send(new GetFaceLivenessSessionResultsCommand({ SessionId }));

async function faceOf(capture: string): Promise<Uint8Array> {
  const { ReferenceImage } = await resultsOf(capture);
  if (!ReferenceImage?.Bytes)
    throw new ProviderFailure('Rekognition has no picture of the session any more.');
  return ReferenceImage.Bytes;
}

type Compared = Pick<CompareFacesCommandOutput, 'FaceMatches' | 'UnmatchedFaces'>;

async function compareFaces(face: Uint8Array | undefined, document: Buffer): Promise<Judgement> {
  if (!face) return { verdict: 'captureFailed' };
  const { FaceMatches = [], UnmatchedFaces = [] }: Compared = await sdk()
    .send(
      new CompareFacesCommand({
        SourceImage: { Bytes: face },
        TargetImage: { Bytes: document },
        SimilarityThreshold: 0,
      }),
    )
    .catch((error: unknown): Compared => {
      // Rekognition reports a picture without a face as a wrong parameter.
      if (isNamed(error, 'InvalidParameterException', 'InvalidImageFormatException')) return {};
      throw error;
    });
  const level = Math.max(-1, ...FaceMatches.map(({ Similarity = 0 }) => Similarity));
  if (level < 0 && UnmatchedFaces.length === 0) return { verdict: 'noDocument' };
  const matchedFace = level >= settings['Biometrics:MatchLevel'];
  return {
    verdict: matchedFace ? 'live' : 'otherPerson',
    document: { matchedFace, level: Math.max(0, Math.round(level)) },
  };
}

// The collection of an application is created with its first face.
async function inCollection<T>(gallery: Gallery, work: (collectionId: string) => Promise<T>): Promise<T> {
  const CollectionId = collectionOf(gallery);
  try {
    return await work(CollectionId);
  } catch (error) {
    if (!isNamed(error, 'ResourceNotFoundException')) throw error;
    await sdk()
      .send(new CreateCollectionCommand({ CollectionId }))
      .catch((failed: unknown) => {
        if (!isNamed(failed, 'ResourceAlreadyExistsException')) throw failed;
      });
    return work(CollectionId);
  }
}

async function callRekognition<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause;
    throw new ProviderFailure(`The call to Rekognition failed (${operation}).`, { cause });
  }
}

const noFace = (error: unknown): 'noFace' => {
  if (error instanceof ProviderFailure && isNamed(error.cause, 'InvalidParameterException')) return 'noFace';
  throw error;
};

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);
