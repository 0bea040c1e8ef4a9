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
  type KeptFace,
  ProviderFailure,
} from './provider.ts';

let client: RekognitionClient | undefined;
const sdk = (): RekognitionClient => {
  client ??= new RekognitionClient({
    region: settings['Biometrics:Region'],
    requestHandler: {
      requestTimeout: settings['Biometrics:ProviderTimeout'] * 1000,
      throwOnRequestTimeout: true,
    },
  });
  return client;
};

const collectionOf = (gallery: Gallery): string => `sinete-${stage()}-pki-${gallery}`;

// As many as one person has in a gallery without duplicates, and some that show that it has them.
const MAX_MATCHES = 10;

/**
 * Amazon Rekognition Face Liveness. The video goes from the browser to Rekognition, by Amazon's own client, and the
 * picture of the face that it keeps for the session is read back for each comparison, and kept nowhere here.
 */
export const rekognition = (): BiometricProvider => ({
  name: 'RekognitionFaceLiveness',
  begin: () =>
    asked('begin', async () => {
      const { SessionId } = await sdk().send(new CreateFaceLivenessSessionCommand({}));
      if (!SessionId) throw new ProviderFailure('Rekognition gave a session no id.');
      const module = settings['Biometrics:CaptureModule'] ?? '';
      const region = settings['Biometrics:Region'];
      return { capture: SessionId, how: { kind: 'module', module, sessionId: SessionId, region } };
    }),
  judge: (capture, { document }) =>
    asked('judge', async () => {
      const { Status, Confidence = 0, ReferenceImage } = await resultsOf(capture);
      if (Status !== 'SUCCEEDED') return { verdict: 'captureFailed' };
      if (Confidence < settings['Biometrics:LivenessConfidence']) return { verdict: 'notLive' };
      return document ? compared(ReferenceImage?.Bytes, document) : { verdict: 'live' };
    }),
  search: (capture, gallery) =>
    asked('search', async () => {
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
    asked('enrol', async () => {
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
      // Rekognition leaves out a face that it could not tell from others.
      return FaceRecords[0]?.Face?.FaceId ?? ('noFace' as const);
    }).catch(noFace),
  list: (gallery) =>
    asked('list', () =>
      inCollection(gallery, async (CollectionId) => {
        const faces: KeptFace[] = [];
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
    asked('forget', async () => {
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

async function compared(face: Uint8Array | undefined, document: Buffer): Promise<Judgement> {
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
      // A picture without any face is answered as a wrong parameter.
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

// An application's collection is made when its first face comes.
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

async function asked<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause;
    throw new ProviderFailure(`Rekognition did not do what it was asked (${operation}).`, { cause });
  }
}

const noFace = (error: unknown): 'noFace' => {
  if (error instanceof ProviderFailure && isNamed(error.cause, 'InvalidParameterException')) return 'noFace';
  throw error;
};

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);
