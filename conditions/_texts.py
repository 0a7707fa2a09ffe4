"""Citations and sentences that several conditions share."""

AMIGO = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8; arXiv:1512.00228, section 2"
CICE = "Rosales-Méndez & Ramírez-Cruz 2013; arXiv:1512.00228, section 2"
PATRIKAINEN = "Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106; arXiv:1512.00228, section 2"

PARTITIONS = "Gold and candidates are partitions of the same objects."
PARTIAL = (
    "Gold and candidates are disjoint but may be partial: objects in the gold only, in the candidate only, "
    "in neither. Classes may extend beyond the clusters named."
)
OVERLAPPING = "As literal, with clusters and classes free to overlap."
