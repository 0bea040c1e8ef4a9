import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { bioWords, failureWords, troubleWords, verdictWords } from '../bio-words.ts';
import { apiOf, type Judged } from './bio/api.ts';
import { cameraIn, NoCamera } from './bio/camera.ts';
import { captureByModule } from './bio/capture-module.ts';
import { leave, sayWhere } from './bio/leave.ts';
import { type LocationRequirement, locate } from './bio/location.ts';
import { viewsOf } from './bio/views.ts';

const words = bioWords(language);
const troubles = troubleWords(language);
const failures: Readonly<Record<string, string>> = failureWords(language);
const verdicts: Readonly<Record<string, string>> = verdictWords(language);

const main = document.querySelector('main') as HTMLElement;
const { session = '', token = '', first = '', failure = '' } = main.dataset;
const wantsDocument = main.dataset.document === 'true';
const isHandedOver = main.dataset.handedOver === 'true';
const locationRequirement = main.dataset.location as LocationRequirement;

const api = apiOf(session, token);
const views = viewsOf(main);
const stage = views.named('camera');
const camera = cameraIn(stage.querySelector('video') as HTMLVideoElement);

type Trouble = keyof typeof troubles;

/** The picture of the document, between its capture and that of the face. It leaves the page once. */
let documentPicture: string | undefined;
let isCameraTrouble = false;

/** The camera looks at the document first, where one is wanted and not yet taken. */
async function look(): Promise<void> {
  views.show('working', { '.working': words.opening });
  const isDocument = wantsDocument && documentPicture === undefined;
  await camera.start(isDocument ? 'environment' : 'user');
  stage.classList.toggle('document', isDocument);
  stage.classList.toggle('face', !isDocument);
  views.show('camera', { '.working': '' });
}

async function start(): Promise<void> {
  if (locationRequirement !== 'Disabled') {
    views.show('working', { '.working': words.locating });
    const isKnown = await locate(api, locationRequirement, 'Capture');
    if (!isKnown && locationRequirement === 'Required') return stuck('noLocation');
  }
  await look();
}

async function takeDocument(): Promise<void> {
  documentPicture = await camera.picture();
  await look();
}

async function capture(): Promise<void> {
  const { capture: how } = await api.begin();
  views.say('camera', words.capturing);
  stage.classList.add('capturing');
  const frames = how.kind === 'frames' ? await camera.frames(how.frames) : undefined;
  if (how.kind === 'module') {
    camera.stop(); // the provider's own client opens it
    await captureByModule(how, stage);
  }
  views.show('working', { '.working': words.judging });
  await judged(await api.submit({ ...(frames && { frames }), document: documentPicture }));
}

async function judged({ outcome, verdict, failure: why, attemptsLeft }: Judged): Promise<void> {
  camera.stop();
  if (outcome !== 'again') return end(outcome === 'passed', why);
  if (verdict === 'noDocument') documentPicture = undefined;
  views.show('again', { '.said': verdicts[verdict] ?? '', '.left': words.attemptsLeft(attemptsLeft) });
}

/** The session has ended: says how, and leads on. The device with the application's page does that for a phone. */
async function end(success: boolean, why: string | null): Promise<void> {
  camera.stop();
  views.show(success ? 'passed' : 'failed', success ? {} : { '.said': failures[why ?? ''] ?? '' });
  if (isHandedOver) return sayWhere(views, success, words.goOnAtComputer);
  const onward = await api.goOn();
  if (onward.state === 'ended') leave(onward, session, views, words);
  else sayWhere(views, success, words.closeHere);
}

/** Shows how a session stands that somebody else has moved on. */
async function catchUp(trouble: Trouble): Promise<void> {
  const onward = await api.goOn();
  if (onward.state !== 'ended') return stuck(trouble);
  camera.stop();
  const { success, failure: why } = onward;
  const text = trouble === 'expired' ? troubles.expired : (failures[why ?? ''] ?? '');
  views.show(success ? 'passed' : 'failed', success ? {} : { '.said': text });
  if (isHandedOver) return sayWhere(views, success, words.goOnAtComputer);
  leave(onward, session, views, words);
}

function stuck(trouble: Trouble): void {
  camera.stop();
  views.show('trouble', { '.said': troubles[trouble] });
}

const cancel = async (): Promise<void> => {
  stopWaiting();
  await api.abort(isCameraTrouble ? 'CameraUnavailable' : 'Aborted');
  await end(false, isCameraTrouble ? 'FaceCaptureFailed' : 'SessionAborted');
};

// The phone's page does the work; this one asks how it stands.
const ASKED_EVERY_MS = 2_000;
let waiting: ReturnType<typeof setTimeout> | undefined;

function waitForPhone(): void {
  views.show('phone', { '.working': words.waiting });
  if (main.dataset.locateHere === 'true') locate(api, locationRequirement, 'Origin').catch(() => undefined);
  const ask = async (): Promise<void> => {
    const onward = await api.goOn().catch(() => undefined);
    if (onward?.state === 'ended') return show(onward);
    waiting = setTimeout(ask, ASKED_EVERY_MS);
  };
  const show = (ended: Parameters<typeof leave>[0]): void => {
    const text = failures[ended.failure ?? ''] ?? '';
    views.show(ended.success ? 'passed' : 'failed', ended.success ? {} : { '.said': text });
    leave(ended, session, views, words);
  };
  waiting = setTimeout(ask, ASKED_EVERY_MS);
}

function stopWaiting(): void {
  clearTimeout(waiting);
  waiting = undefined;
}

const ACTS: Readonly<Record<string, () => Promise<void> | void>> = {
  start,
  picture: takeDocument,
  begin: capture,
  again: start,
  cancel,
  phone: waitForPhone,
  here() {
    stopWaiting();
    views.show('intro');
  },
};

const REFUSALS: Readonly<Record<string, Trouble>> = {
  BioSessionExpired: 'expired',
  BadBioSessionOperation: 'elsewhere',
  BadBioSessionToken: 'expired',
  GeolocationRequired: 'noLocation',
  BiometricProviderUnavailable: 'provider',
};

/** What went wrong, told. Where the session may have ended meanwhile, the server says how. */
async function explain(error: unknown): Promise<void> {
  isCameraTrouble = error instanceof NoCamera;
  if (error instanceof NoCamera) return stuck(error.trouble);
  if (error instanceof ConnectionLost) return stuck('lost');
  const trouble = error instanceof RequestRefused ? REFUSALS[error.code] : undefined;
  const mayHaveEnded = trouble === 'expired' || trouble === 'elsewhere';
  if (trouble && mayHaveEnded) return catchUp(trouble).catch(() => stuck(trouble));
  stuck(trouble ?? 'provider');
}

// One act at a time: a second click finds the page busy.
let isBusy = false;

main.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLElement>('button[data-act]');
  const act = ACTS[button?.dataset.act ?? ''];
  if (!act || isBusy) return;
  isBusy = true;
  try {
    await act();
  } catch (error) {
    await explain(error);
  } finally {
    isBusy = false;
    stage.classList.remove('capturing');
  }
});

// A tablet that calls itself a computer has a camera to hold before one's face all the same.
const isTablet = navigator.maxTouchPoints > 1 && navigator.userAgent.includes('Macintosh');
if (first === 'phone' && isTablet) views.show('intro');
else if (first === 'phone') waitForPhone();
if (first === 'passed' || first === 'failed') end(first === 'passed', failure || null).catch(explain);
// A page that is left keeps no camera on.
addEventListener('pagehide', camera.stop);
main.dataset.ready = 'true';
