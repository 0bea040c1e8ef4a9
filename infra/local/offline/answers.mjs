// Answers of the engine itself: its home page, icon, documentation and metrics, and refusals of requests that no function answered.

// serverless-offline lets this header say who the caller is.
const OVERRIDE = 'sls-offline-authorizer-override';
/** The sandbox's base URL is the home page. */
const HOME = '/sandbox';

/** Answers the paths that belong to no service, before Hapi looks for a route. */
export function answerOwnPaths(request, h) {
  const { headers, raw } = request;
  const { req } = raw;
  delete headers[OVERRIDE];
  req.rawHeaders = req.rawHeaders?.filter((_, at, all) => all[at - (at % 2)].toLowerCase() !== OVERRIDE);
  // A URL takes a second slash for the begin of a host, whatever Hapi makes of it. No service is there.
  if (/^\/[/\\]/.test(req.url)) return refuse('/', req, h, 404).then((response) => response.takeover());
  if (req.method !== 'GET' && req.method !== 'HEAD') return h.continue;
  if (req.url === '/favicon.ico') return sendIcon(h);
  if (req.url === '/' || req.url.startsWith('/?')) {
    req.url = HOME + req.url.slice(1);
    request.setUrl(req.url);
  }
  if (/^\/docs(?=[/?]|$)/.test(req.url)) return sendDocs(req, h);
  return isMetrics(req.url) ? askBatch(request, h) : h.continue;
}

const isMetrics = (url) => /^\/metrics(\?|$)/.test(url);

/** The batch service says who may read metrics. Those of the others are added to its answer. */
async function askBatch(request, h) {
  const { BATCH_METRICS_PATH } = await import('../../runtime/http/metrics.ts');
  const { req } = request.raw;
  req.url = BATCH_METRICS_PATH;
  request.setUrl(req.url);
  request.app.hasAllMetrics = true;
  return h.continue;
}

/** Browsers ask for it beside every answer that is no page. */
async function sendIcon(h) {
  const { SEAL_SVG } = await import('../../../shared/brand/icon.ts');
  const response = h
    .response(SEAL_SVG)
    .type('image/svg+xml')
    .header('cache-control', 'public, max-age=86400');
  return response.takeover();
}

async function sendDocs({ url, headers: asked }, h) {
  const { answerDocs } = await import('../../site/answer.ts');
  const [path, ...query] = url.split('?');
  const { status, headers, body } = await answerDocs(
    path,
    new URLSearchParams(query.join('?')),
    asked['accept-language'],
  );
  const response = h.response(body).code(status);
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response.takeover();
}

/** Every function gives its answers a correlation id: an answer without one is not a function's. */
export function refuseInStyle({ response, path, app, raw: { req } }, h) {
  if (app.hasAllMetrics && response.statusCode === 200) return addMetrics(response, h);
  if (response.isBoom) return refuse(path, req, h, response.output.statusCode);
  const isOwn = response.statusCode < 400 || response.headers['x-correlation-id'] !== undefined;
  return isOwn ? h.continue : refuse(path, req, h, Number(response.statusCode));
}

async function addMetrics(response, h) {
  const { withAllMetrics } = await import('../../runtime/http/metrics.ts');
  response.source = withAllMetrics(String(response.source ?? ''));
  return h.continue;
}

async function refuse(path, { method, headers: asked }, h, bareStatus) {
  // Loaded when first needed: it loads all services, and this file is read at every command.
  const { refuseAsGateway } = await import('../../runtime/http/refuse-as-gateway.ts');
  const { status, headers, body } = await refuseAsGateway(method, path, bareStatus, asked);
  const response = h.response(body).code(status);
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}
