import { loadAsset, type AssetName } from './assets.ts';
import { html } from './html.ts';
import { layOut } from './layout.ts';

// Relative to /docs/reference.
const address = (name: AssetName) => `${name}?v=${loadAsset(name).version}`;

/** Swagger UI over the OpenAPI document, from our own files alone. */
export function referencePage(): string {
  return layOut({
    title: 'Quartermaster: reference',
    description: 'Every path, field, answer and error.',
    styles: [address('swagger-ui.css'), address('reference.css')],
    scripts: [address('swagger-ui-bundle.js'), address('reference.js')],
    icon: address('icon.svg'),
    body: html`<p class="back"><a href="../docs">Back to the documents</a></p>
      <main id="reference" aria-label="Reference"></main>`,
  });
}
