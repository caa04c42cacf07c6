//! x
use tollgate_codegen::{diagnostics::*, load, parse::Sources};
fn main() {
    let dir = std::env::args().nth(1).unwrap_or(".".into());
    let s = Sources::read(std::path::Path::new(&dir)).unwrap();
    let t = std::time::Instant::now();
    let l = load(&s);
    let e = t.elapsed();
    let p = Printer::new(&s, false);
    for d in &l.diagnostics { println!("{}\n", p.render(d)); }
    println!("{} {:?} ops {}", summary(&l.diagnostics, s.files().count()), e, l.spec.operations.len());
}
