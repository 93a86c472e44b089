// For every page with a list of its sections: a mark at the section that is being read, and a search.
const links = [...document.querySelectorAll('.manifest a[href^="#"]')];
const targetOf = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));

/** The last section that begins above the middle of the window; of two beside each other, the first. */
function markSection() {
  const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const tops = links.map((link) => targetOf(link)?.getBoundingClientRect().top ?? Infinity);
  const last = tops.findLast((top) => top < innerHeight / 2);
  const current = isAtEnd ? links.at(-1) : links[tops.indexOf(last)];
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** A section, or what follows a heading up to the next one that the list names. */
function textOf(link) {
  const target = targetOf(link);
  if (target === null) return link.textContent;
  if (target.tagName === 'SECTION') return target.textContent;
  const others = new Set(links.map(targetOf));
  let text = target.textContent;
  for (
    let next = target.nextElementSibling;
    next !== null && !others.has(next);
    next = next.nextElementSibling
  ) {
    text += ` ${next.textContent}`;
  }
  return text;
}

function startSearch(box) {
  const input = box.querySelector('input');
  const output = box.querySelector('output');
  const find = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = links.filter((link) => {
      const text = textOf(link).toLowerCase();
      const isHit = words.every((word) => text.includes(word));
      link.closest('li').hidden = !isHit;
      return isHit;
    });
    const count = hits.length === 1 ? '1 section' : `${hits.length} sections`;
    output.textContent = words.length === 0 ? '' : count;
    return words.length === 0 ? undefined : hits[0];
  };
  box.hidden = false;
  input.addEventListener('input', find);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') find()?.click();
    if (event.key !== 'Escape') return;
    input.value = '';
    find();
  });
}

if (links.length > 0) {
  document.querySelectorAll('[data-search]').forEach(startSearch);
  addEventListener('scroll', markSection, { passive: true });
  addEventListener('resize', markSection);
  markSection();
}
