/** Commands of LaTeX that are one sign in Unicode. */
export const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', varepsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ',
    vartheta: 'ϑ', iota: 'ι', kappa: 'κ', lambda: 'λ', mu: 'μ', nu: 'ν', xi: 'ξ', pi: 'π', rho: 'ρ', sigma: 'σ',
    varsigma: 'ς', tau: 'τ', upsilon: 'υ', phi: 'φ', varphi: 'φ', chi: 'χ', psi: 'ψ', omega: 'ω', Gamma: 'Γ',
    Delta: 'Δ', Theta: 'Θ', Lambda: 'Λ', Xi: 'Ξ', Pi: 'Π', Sigma: 'Σ', Upsilon: 'Υ', Phi: 'Φ', Psi: 'Ψ', Omega: 'Ω',
    times: '×', cdot: '·', div: '÷', pm: '±', mp: '∓', ast: '∗', star: '⋆', circ: '∘', bullet: '•', oplus: '⊕',
    otimes: '⊗', leq: '≤', le: '≤', geq: '≥', ge: '≥', neq: '≠', ne: '≠', approx: '≈', equiv: '≡', sim: '∼',
    simeq: '≃', cong: '≅', propto: '∝', ll: '≪', gg: '≫', in: '∈', notin: '∉', ni: '∋', subset: '⊂', subseteq: '⊆',
    supset: '⊃', supseteq: '⊇', cup: '∪', cap: '∩', setminus: '∖', emptyset: '∅', varnothing: '∅', forall: '∀',
    exists: '∃', nexists: '∄', neg: '¬', lnot: '¬', land: '∧', wedge: '∧', lor: '∨', vee: '∨', to: '→',
    rightarrow: '→', leftarrow: '←', leftrightarrow: '↔', Rightarrow: '⇒', implies: '⇒', Leftarrow: '⇐',
    Leftrightarrow: '⇔', iff: '⇔', mapsto: '↦', uparrow: '↑', downarrow: '↓', infty: '∞', partial: '∂', nabla: '∇',
    sum: '∑', prod: '∏', int: '∫', iint: '∬', oint: '∮', angle: '∠', perp: '⊥', parallel: '∥', mid: '|',
    ldots: '…', dots: '…', cdots: '⋯', vdots: '⋮', prime: '′', degree: '°', hbar: 'ℏ', ell: 'ℓ', Re: 'ℜ', Im: 'ℑ',
    aleph: 'ℵ', langle: '⟨', rangle: '⟩', lfloor: '⌊', rfloor: '⌋', lceil: '⌈', rceil: '⌉', therefore: '∴',
    because: '∵', quad: ' ', qquad: '  ', left: '', right: '', displaystyle: '', limits: '', big: '', Big: '',
    sin: 'sin', cos: 'cos', tan: 'tan', cot: 'cot', log: 'log', ln: 'ln', exp: 'exp', lim: 'lim', max: 'max',
    min: 'min', sup: 'sup', inf: 'inf', det: 'det', dim: 'dim', gcd: 'gcd', deg: 'deg', arg: 'arg', mod: 'mod',
    bmod: 'mod', Pr: 'Pr', sinh: 'sinh', cosh: 'cosh', tanh: 'tanh', arcsin: 'arcsin', arccos: 'arccos',
    arctan: 'arctan',
  }),
);

/** Commands of one character. */
export const SIGN_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ',': ' ', ';': ' ', ':': ' ', '!': '', ' ': ' ', '\\': '\n', '{': '{', '}': '}', '%': '%', '$': '$', '&': '&',
    '#': '#', _: '_', '|': '‖',
  }),
);

export const SUPERSCRIPTS = pairs(
  '0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ′∗',
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ′*',
);
export const SUBSCRIPTS = pairs('0123456789+-=()aehijklmnoprstuvxβγρφχ', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ');
export const BLACKBOARD = pairs('CHNPQRZ', 'ℂℍℕℙℚℝℤ');

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const targets = [...to];
  return new Map([...from].map((sign, index) => [sign, targets[index] ?? sign]));
}
