// Swagger UI over the document beside this page. Calls go to the address under which the page was opened.
const base = new URL('..', location.href).href.replace(/\/$/, '');

function followColours(scheme) {
  document.documentElement.classList.toggle('dark-mode', scheme.matches);
}
const dark = matchMedia('(prefers-color-scheme: dark)');
followColours(dark);
dark.addEventListener('change', followColours);

async function showReference() {
  const spec = await (await fetch(`${base}/openapi.json`)).json();
  SwaggerUIBundle({
    domNode: document.getElementById('reference'),
    spec: { ...spec, servers: [{ url: base }] },
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    persistAuthorization: false,
  });
}

void showReference();
