//! An interface as a graph of types, without names: how far references reach, and the fingerprint.
//!
//! Every walk here is a loop: a graph that others made may be as deep as it is large.

use std::collections::{BTreeMap, HashMap};

use candid::types::{FuncMode, Label, Type, TypeEnv, TypeInner};
use sha2::{Digest as _, Sha256};

use super::{Arg, Method};
use crate::ids::ContentHash;

/// The nodes. A node is named by its place in the list.
pub(super) struct Graph {
    nodes: Vec<GraphNode>,
    methods: Vec<GraphMethod>,
}

/// A type, one level of it: what it is, and the types it holds in a fixed order.
struct GraphNode {
    /// Everything about the type but the types that it holds: kind, labels, modes, counts. Two types
    /// with equal heads differ only in what they hold.
    head: Vec<u8>,
    children: Vec<usize>,
}

struct GraphMethod {
    name: String,
    mode: &'static str,
    args: Vec<usize>,
    results: Vec<usize>,
}

impl Graph {
    /// The graph of an interface whose names are all defined and none of which stands for itself.
    pub(super) fn new(
        env: &TypeEnv,
        methods: &BTreeMap<String, Method>,
        init: Option<&[Arg]>,
    ) -> Self {
        let mut build = Build {
            env,
            nodes: Vec::new(),
            names: HashMap::new(),
            open: Vec::new(),
        };
        let methods = methods
            .iter()
            .map(|(name, method)| GraphMethod {
                name: name.clone(),
                mode: method.mode.as_str(),
                args: method.args.iter().map(|arg| build.node(&arg.ty)).collect(),
                results: method
                    .results
                    .iter()
                    .map(|arg| build.node(&arg.ty))
                    .collect(),
            })
            .collect();
        for arg in init.unwrap_or_default() {
            build.node(&arg.ty);
        }
        for name in env.0.keys() {
            build.named(name);
        }
        build.finish();
        Self {
            nodes: build.nodes,
            methods,
        }
    }

    /// An upper bound of how many types a walk can enter before it leaves one: the longest way
    /// through the groups of types that hold one another, each group counted whole.
    pub(super) fn longest_chain(&self) -> usize {
        longest_chain(self.nodes.len(), |node| &self.nodes[node].children)
    }

    /// SHA-256 over the minimised graph and the methods. It changes with every change of meaning
    /// and with nothing else: names of definitions and arguments, comments, order of definitions,
    /// and how recursive types are unfolded are not in it; labels are, by name where they have one.
    pub(super) fn fingerprint(&self) -> ContentHash {
        let class = self.classes();
        // Classes are numbered in the order in which a walk from the methods meets them.
        let mut numbers = HashMap::new();
        let mut met = Vec::new();
        for method in &self.methods {
            for node in method.args.iter().chain(&method.results) {
                let mut next = vec![*node];
                while let Some(node) = next.pop() {
                    if numbers.contains_key(&class[node]) {
                        continue;
                    }
                    numbers.insert(class[node], met.len());
                    met.push(node);
                    next.extend(self.nodes[node].children.iter().rev());
                }
            }
        }
        let mut hash = Hasher(Sha256::new());
        hash.bytes(b"countersign-interface-1");
        hash.number(met.len());
        for node in met {
            let GraphNode { head, children } = &self.nodes[node];
            hash.bytes(head);
            hash.numbers(children.iter().map(|child| numbers[&class[*child]]));
        }
        hash.number(self.methods.len());
        for GraphMethod {
            name,
            mode,
            args,
            results,
        } in &self.methods
        {
            hash.bytes(name.as_bytes());
            hash.bytes(mode.as_bytes());
            hash.numbers(args.iter().map(|node| numbers[&class[*node]]));
            hash.numbers(results.iter().map(|node| numbers[&class[*node]]));
        }
        ContentHash::from_bytes(hash.0.finalize().into())
    }

    /// The class of each node: nodes are in one class where no walk tells them apart (Hopcroft's
    /// algorithm; the letter of a step is the place among the types that a node holds).
    fn classes(&self) -> Vec<usize> {
        let mut parents = vec![Vec::new(); self.nodes.len()];
        let mut heads = HashMap::<&[u8], usize>::new();
        let mut class = Vec::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            for (letter, child) in node.children.iter().enumerate() {
                parents[*child].push((letter, at));
            }
            let of = *heads.entry(&node.head).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            class.push(of);
            members[of].push(at);
        }
        let mut waiting: Vec<bool> = vec![true; members.len()];
        let mut work: Vec<usize> = (0..members.len()).collect();
        while let Some(splitter) = work.pop() {
            waiting[splitter] = false;
            let mut by_letter = HashMap::<usize, Vec<usize>>::new();
            for (letter, parent) in members[splitter].iter().flat_map(|node| &parents[*node]) {
                by_letter.entry(*letter).or_default().push(*parent);
            }
            for leading in by_letter.into_values() {
                let mut hit = HashMap::<usize, Vec<usize>>::new();
                for node in leading {
                    hit.entry(class[node]).or_default().push(node);
                }
                for (old, hit) in hit {
                    if hit.len() == members[old].len() {
                        continue;
                    }
                    let new = members.len();
                    for node in &hit {
                        class[*node] = new;
                    }
                    members[old].retain(|node| class[*node] == old);
                    // What still waits is followed as two; of the rest the smaller part suffices.
                    let next = if waiting[old] || hit.len() <= members[old].len() {
                        new
                    } else {
                        old
                    };
                    members.push(hit);
                    waiting.push(false);
                    waiting[next] = true;
                    work.push(next);
                }
            }
        }
        class
    }
}

struct Build<'a> {
    env: &'a TypeEnv,
    nodes: Vec<GraphNode>,
    names: HashMap<&'a str, usize>,
    /// Nodes whose types are still to be read.
    open: Vec<(usize, &'a Type)>,
}

impl<'a> Build<'a> {
    fn node(&mut self, ty: &Type) -> usize {
        match ty.as_ref() {
            TypeInner::Var(name) => {
                let (name, _) = self
                    .env
                    .0
                    .get_key_value(name)
                    .expect("every name is defined");
                self.named(name)
            }
            _ => {
                let node = self.fresh();
                self.fill(node, ty);
                node
            }
        }
    }

    fn named(&mut self, name: &'a str) -> usize {
        if let Some(node) = self.names.get(name) {
            return *node;
        }
        // Names that stand for names share the node of their end.
        let mut passed = vec![name];
        let mut ty = &self.env.0[name];
        while let TypeInner::Var(next) = ty.as_ref() {
            passed.push(next);
            ty = &self.env.0[next];
        }
        let end = passed.last().copied().unwrap_or(name);
        let node = match self.names.get(end) {
            Some(node) => *node,
            None => {
                let node = self.fresh();
                self.open.push((node, ty));
                node
            }
        };
        for name in passed {
            self.names.insert(name, node);
        }
        node
    }

    fn fresh(&mut self) -> usize {
        self.nodes.push(GraphNode {
            head: Vec::new(),
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    fn finish(&mut self) {
        while let Some((node, ty)) = self.open.pop() {
            self.fill(node, ty);
        }
    }

    /// Reads one type as it is written; names in it are read later. Recurses no deeper than a text
    /// may nest.
    fn fill(&mut self, node: usize, ty: &Type) {
        let (head, children) = match ty.as_ref() {
            TypeInner::Opt(inner) => (vec![b'o'], vec![self.node(inner)]),
            TypeInner::Vec(inner) => (vec![b'v'], vec![self.node(inner)]),
            TypeInner::Record(fields) => self.members(b'r', fields),
            TypeInner::Variant(cases) => self.members(b'c', cases),
            TypeInner::Func(func) => {
                let mut head = vec![b'f'];
                for mode in &func.modes {
                    head.push(match mode {
                        FuncMode::Query => b'q',
                        FuncMode::Oneway => b'1',
                        FuncMode::CompositeQuery => b'c',
                    });
                }
                head.extend_from_slice(&count(func.args.len()));
                head.extend_from_slice(&count(func.rets.len()));
                let children = func
                    .args
                    .iter()
                    .chain(&func.rets)
                    .map(|ty| self.node(ty))
                    .collect();
                (head, children)
            }
            TypeInner::Service(methods) => {
                let mut head = vec![b's'];
                for (name, _) in methods {
                    label(&mut head, b'n', name.as_bytes());
                }
                (head, methods.iter().map(|(_, ty)| self.node(ty)).collect())
            }
            primitive => (format!("p{primitive:?}").into_bytes(), Vec::new()),
        };
        self.nodes[node] = GraphNode { head, children };
    }

    fn members(&mut self, kind: u8, fields: &[candid::types::Field]) -> (Vec<u8>, Vec<usize>) {
        let mut head = vec![kind];
        for field in fields {
            match field.id.as_ref() {
                Label::Named(name) => label(&mut head, b'n', name.as_bytes()),
                Label::Id(id) | Label::Unnamed(id) => label(&mut head, b'i', &id.to_be_bytes()),
            }
        }
        (
            head,
            fields.iter().map(|field| self.node(&field.ty)).collect(),
        )
    }
}

fn count(number: usize) -> [u8; 8] {
    (number as u64).to_be_bytes()
}

fn label(head: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    head.push(kind);
    head.extend_from_slice(&count(bytes.len()));
    head.extend_from_slice(bytes);
}

/// Writes with lengths, so that no two sequences write the same bytes.
struct Hasher(Sha256);

impl Hasher {
    fn number(&mut self, number: usize) {
        self.0.update(count(number));
    }

    fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = usize>) {
        self.number(numbers.len());
        for number in numbers {
            self.number(number);
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.update(bytes);
    }
}

/// The longest way through the strongly connected components of a graph, each counted with all its
/// nodes (Tarjan's algorithm, with a stack of its own).
pub(super) fn longest_chain<'a>(nodes: usize, children: impl Fn(usize) -> &'a [usize]) -> usize {
    const NEW: usize = usize::MAX;
    let mut order = vec![NEW; nodes];
    let mut low = vec![0; nodes];
    // The longest way from a node whose component is closed; 0 while it is open.
    let mut longest = vec![0_usize; nodes];
    let mut component = Vec::new();
    let mut next = 0;
    for root in 0..nodes {
        if order[root] != NEW {
            continue;
        }
        let mut walk = vec![(root, 0)];
        while let Some((node, at)) = walk.pop() {
            if at == 0 {
                order[node] = next;
                low[node] = next;
                next += 1;
                component.push(node);
            }
            if let Some(child) = children(node).get(at).copied() {
                walk.push((node, at + 1));
                if order[child] == NEW {
                    walk.push((child, 0));
                } else if longest[child] == 0 {
                    low[node] = low[node].min(order[child]);
                }
                continue;
            }
            if low[node] == order[node] {
                let from = component
                    .iter()
                    .rposition(|member| *member == node)
                    .expect("a node stays in the list until its component closes");
                let members = component.split_off(from);
                let beyond = members
                    .iter()
                    .flat_map(|member| children(*member))
                    .map(|child| longest[*child])
                    .max()
                    .unwrap_or(0);
                for member in &members {
                    longest[*member] = beyond + members.len();
                }
            }
            if let Some((parent, _)) = walk.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    longest.into_iter().max().unwrap_or(0)
}
